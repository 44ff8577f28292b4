"""Tasks: labels, chosen independently of the images."""

from datamodules.tasks.task import Labels, Task

__all__ = ["Labels", "Task"]
