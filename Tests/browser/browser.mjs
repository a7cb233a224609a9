// Headless Chromium, driven over a pipe, and what is checked on every page.
//
// Chromium is $CHROMIUM, else chromium.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const widths = [360, 800, 1280];
const schemes = ["light", "dark"];

/// The contrast of each piece of text with what is behind it (WCAG 2), the least of them.
const leastContrast = `(() => {
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

/// Whether a node of the accessibility tree has to have a name.
function needsName({ role: { value: role }, properties = [] }) {
  // Chromium lets the focus into boxes that scroll, which are generic.
  if (["RootWebArea", "option", "MenuListPopup", "generic"].includes(role)) return false;
  return ["image", "navigation", "region"].includes(role) || properties.some(({ name, value }) => name === "focusable" && value.value);
}

/// The number of animations and transitions.
const moving = `document.getAnimations().length
  + [...document.querySelectorAll('*')].filter((each) => parseFloat(getComputedStyle(each).transitionDuration) > 0).length`;

/// Opens a browser, lets `checks(page)` look at pages in it, and ends the process: with 1 if one of them failed.
///
/// - about: Stands before the name of each check.
/// - shots: A folder for screenshots.
/// - options: More options of Chromium.
export async function inspect(checks, { about = "", shots, options } = {}) {
  const page = new Page(await Browser.start(options), about, shots);
  try {
    await checks(page);
  } finally {
    await page.browser.close();
  }
  process.exit(page.failures === 0 ? 0 : 1);
}

/// The checks of a page.
class Page {
  failures = 0;

  constructor(browser, about, shots) {
    Object.assign(this, { browser, about, shots });
  }

  check(name, holds, found) {
    console.log(`${holds ? "ok" : "not ok"} - ${this.about}${name}${holds ? "" : `: found ${JSON.stringify(found)}`}`);
    if (!holds) this.failures += 1;
  }

  async shoot(name) {
    if (!this.shots) return;
    mkdirSync(this.shots, { recursive: true });
    writeFileSync(join(this.shots, `${name}.png`), await this.browser.picture());
  }

  /// Opens a page in each width and colour scheme: nothing may stick out, and text must have contrast.
  ///
  /// - prepare: Brings the open page into each state that is looked at.
  async checkLooks(name, open, { height, states = [async () => {}] } = {}) {
    for (const width of widths) {
      for (const scheme of schemes) {
        await open({ width, height, scheme });
        for (const [number, prepare] of states.entries()) {
          await prepare();
          const found = await this.browser.width();
          const [contrast, where] = await this.browser.evaluate(leastContrast);
          this.check(`${name} fits into ${width} pixels in ${scheme}, and its text has contrast`, found <= width && contrast >= 4.5,
            { width: found, contrast, where });
          await this.shoot([name.replaceAll(/[ /]/g, "-").replace(".html", ""), width, scheme, ...(number > 0 ? [number] : [])].join("-"));
        }
      }
    }
  }

  /// Everything has a name for those who can't see it, the focus follows the text, and nothing moves.
  async checkAccess(name) {
    const { nodes } = await this.browser.send("Accessibility.getFullAXTree");
    const nameless = nodes.filter((node) => !node.ignored && !node.name?.value?.trim() && needsName(node)).map((node) => node.role.value);
    this.check(`what takes the focus, the regions and the pictures of ${name} have names`, nameless.length === 0, nameless);
    this.check(`the focus follows the text of ${name}`, await this.browser.evaluate(
      "[...document.querySelectorAll('[tabindex]')].every((each) => each.tabIndex <= 0)"));
    await this.browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value: "reduce" }] });
    this.check(`nothing moves in ${name} if motion is to be reduced`, (await this.browser.evaluate(moving)) === 0);
  }

  /// The console stays empty, and nothing is loaded but from these places.
  ///
  /// - places: The beginnings of their URLs.
  checkQuiet(places, { ignoring = () => false } = {}) {
    const messages = this.browser.events.filter((event) =>
      ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"].includes(event.method) && !ignoring(event));
    this.check("the console stays empty", messages.length === 0, messages.slice(0, 3).map((event) => event.params));
    const requests = this.browser.events.filter((event) => event.method === "Network.requestWillBeSent")
      .map((event) => event.params.request.url).filter((each) => ![...places, "data:", "about:"].some((place) => each.startsWith(place)));
    this.check("nothing is loaded from elsewhere", requests.length === 0, requests.slice(0, 3));
  }
}

/// Chromium with one page.
export class Browser {
  #waiting = new Map();
  #next = 1;
  #profile = mkdtempSync(join(tmpdir(), "browser-"));
  events = [];

  /// Ends the browser, and removes its profile.
  async close() {
    // Its children still write for a moment after it was told to close.
    const ended = new Promise((done) => this.process.once("close", done));
    this.send("Browser.close").catch(() => {});
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /// - options: More options of Chromium.
  static async start(options = []) {
    const browser = new Browser();
    // Spoken to over a pipe, which takes no more than Node itself.
    browser.process = spawn(process.env.CHROMIUM ?? "chromium", [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--hide-scrollbars", `--user-data-dir=${browser.#profile}`, "--remote-debugging-pipe", ...options, "about:blank",
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
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.send(`${domain}.enable`);
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

  /// Waits until a condition is met, for at most ten seconds.
  async until(condition) {
    for (let attempts = 0; attempts < 200; attempts += 1) {
      if (await this.evaluate(condition)) return true;
      await new Promise((later) => setTimeout(later, 50));
    }
    return false;
  }

  /// Presses Tab until a condition is met.
  async tabTo(condition, most = 60) {
    for (let steps = 0; steps < most; steps += 1) {
      await this.press("Tab");
      if (await this.evaluate(condition)) return true;
    }
    return false;
  }

  /// How wide the content of the page is.
  width() {
    return this.evaluate("document.documentElement.scrollWidth");
  }

  /// A picture of the window.
  async picture(format = { format: "png" }) {
    return Buffer.from((await this.send("Page.captureScreenshot", { captureBeyondViewport: false, ...format })).data, "base64");
  }

  async press(key, code = key) {
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const common = { key, code, text, windowsVirtualKeyCode: { Tab: 9, Enter: 13, Escape: 27, " ": 32, ArrowUp: 38, ArrowDown: 40, "/": 191 }[key] };
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", ...common });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
  }
}
