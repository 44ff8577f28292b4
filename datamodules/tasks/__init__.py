"""What the labels are: a choice apart from the images."""

from datamodules.tasks.task import Labels, Task

__all__ = ["Labels", "Task"]
