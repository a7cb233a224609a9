// Headless Chromium, driven over a pipe.
//
// Chromium is $CHROMIUM, else chromium.
import { spawn } from "node:child_process";

export class Browser {
  #waiting = new Map();
  #next = 1;
  events = [];

  static async start(profile) {
    const browser = new Browser();
    // Spoken to over a pipe, which takes no more than Node itself.
    browser.process = spawn(process.env.CHROMIUM ?? "chromium", [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--hide-scrollbars", `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank",
    ], { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
    let complaints = "";
    browser.process.stderr.on("data", (chunk) => { complaints += chunk; });
    browser.process.once("error", (error) => browser.#fail(error));
    browser.process.once("exit", (code) => browser.#fail(new Error(`chromium ended with ${code}: ${complaints}`)));
    let rest = Buffer.alloc(0);
    browser.process.stdio[4].on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        browser.#take(JSON.parse(rest.subarray(0, end).toString()));
        rest = rest.subarray(end + 1);
      }
    });
    const { targetInfos } = await browser.send("Target.getTargets");
    const { targetId } = targetInfos.find((target) => target.type === "page");
    browser.session = (await browser.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    return browser;
  }

  #fail(error) {
    for (const { failed } of this.#waiting.values()) failed(error);
    this.#waiting.clear();
  }

  #take(message) {
    if (message.id) {
      const { done, failed } = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      message.error ? failed(new Error(message.error.message)) : done(message.result);
    } else {
      this.events.push(message);
    }
  }

  send(method, params = {}) {
    const id = this.#next++;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async open(url, { width, height = 900, scheme = "light" }) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await this.send("Page.navigate", { url });
    for (;;) {
      if (await this.evaluate("document.readyState === 'complete' && location.protocol !== 'about:'")) return;
      await new Promise((later) => setTimeout(later, 20));
    }
  }

  async press(key, code = key) {
    const text = key === "Enter" ? "\r" : key === " " ? " " : undefined;
    const common = { key, code, text, windowsVirtualKeyCode: { Tab: 9, Enter: 13, " ": 32 }[key] };
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", ...common });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  }
}
