"""Drives a headless Chromium through its debugging pipe; needs nothing but Python and the browser."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-extensions", "--hide-scrollbars", "--mute-audio",
         "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--remote-debugging-pipe"]
NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def find_browser():
    """Path of a browser, or None."""
    return os.environ.get("CONDYLE_BROWSER") or next((p for p in map(shutil.which, NAMES) if p), None)


class Browser:
    def __init__(self, program=None, flags=()):
        self.program, self.flags, self.process = program or find_browser(), flags, None

    def start(self):
        self.folder = tempfile.mkdtemp(prefix="condyle-browser-")
        to_browser, from_browser = os.pipe(), os.pipe()

        def arrange():  # the browser reads from 3 and writes to 4
            a, b = os.dup(to_browser[0]), os.dup(from_browser[1])
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [self.program, *FLAGS, *self.flags, f"--user-data-dir={self.folder}", "about:blank"],
            close_fds=False, preexec_fn=arrange, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.out, self.into = to_browser[1], from_browser[0]
        self.buffer, self.number, self.answers, self.listeners = b"", 0, {}, []

    def read(self, limit):
        ready, _, _ = select.select([self.into], [], [], max(0, limit))
        if not ready:
            return
        data = os.read(self.into, 1 << 20)
        if not data:
            raise RuntimeError("the browser went away")
        self.buffer += data
        *messages, self.buffer = self.buffer.split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                for listener in self.listeners:
                    listener(message)

    def call(self, method, session=None, limit=240, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + limit
        while self.number not in self.answers:
            if time.monotonic() > end:
                raise TimeoutError(method)
            self.read(end - time.monotonic())
        answer = self.answers.pop(self.number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, file, width=1280, height=800, hash="", wait="window.condyle && window.condyle.ready"):
        if self.process is None or self.process.poll() is not None:  # not before it is needed: a test may simulate first
            self.start()
        return Page(self, file, width, height, hash, wait)

    def close(self):
        if self.process is None:
            return
        try:
            self.call("Browser.close", limit=20)
        except (OSError, RuntimeError, TimeoutError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """One page: what it threw, what it asked the network for, what it shows."""

    def __init__(self, browser, file, width, height, hash, wait):
        self.browser, self.session, self.errors, self.requests = browser, "", [], []
        browser.listeners.append(self.hear)
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        self.size(width, height)
        self.url = "file://" + os.path.abspath(file) + (f"#{hash}" if hash else "")
        began = time.monotonic()
        self.call("Page.navigate", url=self.url)
        if wait:
            self.wait_for(wait)
        self.load_s = time.monotonic() - began

    def hear(self, message):
        if message.get("sessionId") != self.session:
            return
        method, p = message["method"], message["params"]
        if method == "Runtime.exceptionThrown":
            d = p["exceptionDetails"]
            self.errors.append(d.get("exception", {}).get("description") or d.get("text"))
        elif method == "Log.entryAdded" and p["entry"]["level"] == "error":
            self.errors.append(p["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not p["request"]["url"].startswith(("data:", "blob:")):
            self.requests.append(p["request"]["url"])

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def js(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def wait_for(self, expression, limit=240):
        end = time.monotonic() + limit
        while not self.js(f"!!({expression})"):
            if time.monotonic() > end:
                raise TimeoutError(f"{expression} in {self.url}: {self.errors}")
            time.sleep(0.05)

    def key(self, key, code="", shift=False, text=None):
        number = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35, " ": 32, "Escape": 27,
                  "Tab": 9, "Enter": 13}.get(key, 0)
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        text = text or ("\r" if key == "Enter" else key if len(key) == 1 else None)
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def mouse(self, kind, x, y, buttons=0, count=1):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" and not buttons else "left",
                  buttons=buttons, clickCount=count)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, 1)
        self.mouse("mouseReleased", x, y)

    def drag(self, x0, y0, x1, y1):
        self.mouse("mouseMoved", x0, y0)
        self.mouse("mousePressed", x0, y0, 1)
        for k in range(1, 5):
            self.mouse("mouseMoved", x0 + (x1 - x0) * k / 4, y0 + (y1 - y0) * k / 4, 1)
        self.mouse("mouseReleased", x1, y1)

    def metrics(self):
        """Seconds of the page's process and bytes of its heap, by the browser's own names."""
        self.call("Performance.enable")
        return {m["name"]: m["value"] for m in self.call("Performance.getMetrics")["metrics"]}

    def screenshot(self, file=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if file:
            with open(file, "wb") as out:
                out.write(data)
        return data

    def close(self):
        self.browser.listeners.remove(self.hear)
        self.browser.call("Target.closeTarget", targetId=self.target)
