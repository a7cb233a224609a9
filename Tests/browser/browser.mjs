// Headless Chromium, driven over a pipe.
//
// Chromium is $CHROMIUM, else chromium.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";

/// The contrast of each piece of text with what is behind it (WCAG 2), the least of them.
export const leastContrast = `(() => {
  const channel = (value) => { value /= 255; return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
  const parse = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = parse(getComputedStyle(each).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  let least = [99, ""];
  for (const element of document.body.querySelectorAll("*")) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    if (["SCRIPT", "STYLE", "TITLE"].includes(element.tagName) || element.closest("svg") && element.tagName !== "text" || !element.checkVisibility()) continue;
    const [one, other] = [light(parse(getComputedStyle(element)[element.tagName === "text" ? "fill" : "color"])), light(behind(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < least[0]) least = [contrast, element.outerHTML.slice(0, 80)];
  }
  return least;
})()`;

/// Links, buttons, fields and pictures without a name for those who cannot see them.
const nameless = `[...document.querySelectorAll("a, button, input, summary, [role=img]")].filter((each) =>
  !(each.textContent.trim() || each.ariaLabel || each.labels?.[0]?.textContent.trim())).map((each) => each.outerHTML.slice(0, 80))`;

/// Checks how a page looks: nothing sticks out, text has contrast, everything has a name, and nothing moves.
export async function checkLooks(browser, url, check, shoot) {
  for (const scheme of ["light", "dark"]) {
    for (const width of [360, 800, 1280]) {
      await browser.open(url, { width, height: 1600, scheme });
      const wide = await browser.evaluate("document.documentElement.scrollWidth");
      check(`nothing sticks out at ${width} pixels in ${scheme}`, wide <= width, wide);
      const [contrast, where] = await browser.evaluate(leastContrast);
      check(`text can be read at ${width} pixels in ${scheme}`, contrast >= 4.5, [contrast, where]);
      await shoot(`${scheme}-${width}.png`);
    }
  }
  const lacking = await browser.evaluate(nameless);
  check("links, buttons and pictures have names", lacking.length === 0, lacking);
  check("nothing moves", (await browser.evaluate("document.getAnimations().length")) === 0);
  check("the focus follows the text", await browser.evaluate("[...document.querySelectorAll('[tabindex]')].every((each) => each.tabIndex === 0)"));
}

/// Messages on the console, and requests to anywhere.
export function complaints(browser) {
  const messages = browser.events.filter((event) =>
    ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"].includes(event.method));
  const requests = browser.events.filter((event) => event.method === "Network.requestWillBeSent")
    .map((event) => event.params.request.url).filter((each) => !each.startsWith("file:") && !each.startsWith("data:"));
  return [...messages.map((event) => event.params), ...requests];
}

export class Browser {
  #waiting = new Map();
  #next = 1;
  events = [];

  /// Ends the browser, and removes its profile.
  async close(profile) {
    // Its children still write for a moment after it was told to close.
    const ended = new Promise((done) => this.process.once("close", done));
    this.send("Browser.close").catch(() => {});
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /// - options: More options of Chromium.
  static async start(profile, options = []) {
    const browser = new Browser();
    // Spoken to over a pipe, which takes no more than Node itself.
    browser.process = spawn(process.env.CHROMIUM ?? "chromium", [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--hide-scrollbars", `--user-data-dir=${profile}`, "--remote-debugging-pipe", ...options, "about:blank",
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
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const common = { key, code, text, windowsVirtualKeyCode: { Tab: 9, Enter: 13, Escape: 27, " ": 32, ArrowUp: 38, ArrowDown: 40, "/": 191 }[key] };
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", ...common });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  }
}
