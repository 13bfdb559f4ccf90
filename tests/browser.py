"""A real Chromium without a window, for tests of what a person sees: the protocol of its developer tools, over a pipe.

Needs nothing but Chromium and Python. find() says where Chromium is; a test without one is skipped."""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 60


def find():
    """The program, or the end of the test: it is skipped."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    print("there is no chromium")
    sys.exit(77)


class Browser:
    def __init__(self, width=1280, height=900):
        self.home = tempfile.mkdtemp(prefix="browser-")
        to_browser, self.write_fd = os.pipe()
        self.read_fd, from_browser = os.pipe()

        def place():
            # Away from 3 and 4 first.
            one, two = os.dup2(to_browser, 30), os.dup2(from_browser, 31)
            os.dup2(one, 3)
            os.dup2(two, 4)

        self.process = subprocess.Popen(
            [find(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
             "--force-device-scale-factor=1", f"--user-data-dir={self.home}", f"--window-size={width},{height}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=place)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.rest, self.session = 0, b"", None
        self.errors, self.requests, self.log = [], [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.read_fd, 1 << 20)
            assert more, "Chromium has ended"
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(values["exceptionDetails"].get("exception", {}).get("description") or values["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.errors.append(str([one.get("value") for one in values["args"]]))
        elif method == "Log.entryAdded":
            self.log.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        return message

    def call(self, method, **values):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": values}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_fd, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def go(self, url):
        self.call("Page.navigate", url=url)

    def ask(self, expression):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, (expression, answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait(self, expression):
        """Until it is true; what it is then."""
        end = time.monotonic() + PATIENCE_S
        while True:
            value = self.ask(expression)
            if value:
                return value
            assert time.monotonic() < end, f"not within {PATIENCE_S} s: {expression}; errors {self.errors}"
            time.sleep(0.02)

    def settled(self):
        """When all that was asked for is drawn."""
        self.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def mouse(self, kind, x, y, button="none", count=0, modifiers=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=count, modifiers=modifiers)

    def hover(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.settled()

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, "left", 1)
        self.mouse("mouseReleased", x, y, "left", 1)
        self.settled()

    def drag(self, x, y, to_x, to_y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, "left", 1)
        for part in (0.25, 0.5, 0.75, 1):
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + (to_x - x) * part, y=y + (to_y - y) * part, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, "left", 1)
        self.settled()

    def key(self, key, text=None):
        code = {"Enter": 13, "Escape": 27, " ": 32, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39}.get(key, 0)
        text = text if text is not None else key if len(key) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.settled()

    def box(self, selector, index=0):
        """Where an element is on the screen, once it is in sight."""
        return self.ask(f"(() => {{ const e = document.querySelectorAll({json.dumps(selector)})[{index}]; e.scrollIntoView({{block: 'center'}});"
                        "const b = e.getBoundingClientRect(); return {x: b.x, y: b.y, width: b.width, height: b.height}; })()")

    def picture(self, path, whole=True):
        image = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(image["data"]))
