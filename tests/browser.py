"""A headless Chromium, driven over a pipe: Debian's package is enough, no driver is installed."""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
FLAGS = (
    *("--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"),
    *("--disable-dev-shm-usage", "--no-first-run", "--disable-extensions", "--mute-audio"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars"),
)


class Page:
    """One tab: commands of the DevTools protocol out, answers and events in."""

    def __init__(self, write: int, read: int) -> None:
        self.write, self.read = write, read
        self.buffer = b""
        self.count = 0
        self.session: str | None = None
        self.complaints: list[str] = []  # errors, warnings and refused requests, as they came
        (tab,) = [t for t in self("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        attached = self("Target.attachToTarget", targetId=tab["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Network"):
            self(f"{domain}.enable")

    def __call__(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give a command, wait for its answer."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.buffer:
            more = os.read(self.read, 1 << 16)
            assert more, "Chromium ended"
            self.buffer += more
        text, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(text)
        method, content = message.get("method"), message.get("params")
        if method in ("Runtime.exceptionThrown", "Log.entryAdded", "Network.loadingFailed"):
            self.complaints.append(json.dumps(content))
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(json.dumps(content["args"]))
        elif method == "Network.requestWillBeSent":
            address = content["request"]["url"]
            if not address.startswith(("file:", "data:")):
                self.complaints.append(f"asked for {address}")
        message["loaded"] = method == "Page.loadEventFired"
        return message

    def open(self, path: Path) -> None:
        """Load a file from disk, and wait until it is there."""
        self("Page.navigate", url=path.resolve().as_uri())
        while not self._next()["loaded"]:
            pass

    def run(self, expression: str) -> Any:
        """The value of an expression, in the page."""
        asked = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answer = self("Runtime.evaluate", **asked)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def view(self, width: int, height: int = 900, dark: bool = False) -> None:
        """As a screen of this width, in this theme."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1}
        self("Emulation.setDeviceMetricsOverride", **size, mobile=width < 600)
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self("Emulation.setEmulatedMedia", features=[theme])

    def picture(self, path: Path) -> None:
        """A screenshot of what is in view."""
        shot = self("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    def point_at(self, selector: str) -> None:
        """Move the mouse onto an element."""
        box = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2] })()"
        )
        self("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])


@contextmanager
def browser(profile: Path) -> Iterator[Page]:
    """A fresh browser; it ends with the block."""
    assert CHROMIUM is not None
    (command_out, command_in), (answer_out, answer_in) = os.pipe(), os.pipe()
    line = f'exec "$0" "$@" 3<&{command_out} 4>&{answer_in}'
    process = subprocess.Popen(
        ["bash", "-c", line, CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
        pass_fds=(command_out, answer_in),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(command_out)
    os.close(answer_in)
    try:
        yield Page(command_in, answer_out)
    finally:
        process.terminate()
        process.wait(timeout=20)
        os.close(command_in)
        os.close(answer_out)
