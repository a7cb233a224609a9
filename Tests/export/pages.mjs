// Opens the documentation of a workspace in headless Chromium: it fits, can be read, says what each control is, and works by keyboard.
//
//   node Tests/export/pages.mjs URL [FOLDER FOR SCREENSHOTS]
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, leastContrast } from "../browser/browser.mjs";

const [site, shots] = process.argv.slice(2);
const scheme = site.split(":")[0];
const width = "document.documentElement.scrollWidth";

async function shoot(name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  const { data } = await browser.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: false });
  writeFileSync(join(shots, `${name}.png`), Buffer.from(data, "base64"));
}

let failures = 0;
function check(name, holds, found) {
  console.log(`${holds ? "ok" : "not ok"} - ${scheme}: ${name}${holds ? "" : `: found ${JSON.stringify(found)}`}`);
  if (!holds) failures += 1;
}

async function until(condition) {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    if (await browser.evaluate(condition)) return true;
    await new Promise((later) => setTimeout(later, 50));
  }
  return false;
}

// The controls without a name, as assistive technology sees the page.
async function nameless() {
  const { nodes } = await browser.send("Accessibility.getFullAXTree");
  const roles = ["link", "button", "combobox", "searchbox", "listbox", "image", "navigation", "region", "DisclosureTriangle"];
  return nodes.filter((node) => !node.ignored && roles.includes(node.role?.value) && !node.name?.value?.trim()).map((node) => node.role.value);
}

const profile = mkdtempSync(join(tmpdir(), "export-browser-"));
const browser = await Browser.start(profile);
try {
  for (const domain of ["Page", "Runtime", "Log", "Network", "Accessibility"]) await browser.send(`${domain}.enable`);
  await browser.open(`${site}/index.html`, { width: 1280 });
  const all = await browser.evaluate("[...document.querySelectorAll('nav.pages a')].map((link) => link.getAttribute('href'))");
  const groups = await browser.evaluate("[...document.querySelectorAll('nav.pages h2:last-of-type + ul a')].map((link) => link.getAttribute('href'))");
  const own = all.filter((page) => !groups.includes(page));

  for (const page of [...own, groups[0]]) {
    for (const window of [360, 800, 1280]) {
      for (const colours of ["light", "dark"]) {
        await browser.open(`${site}/${page}`, { width: window, scheme: colours });
        await browser.evaluate("document.querySelectorAll('.variant').forEach((each) => { each.open = true; })");
        const found = await browser.evaluate(width);
        const [contrast, where] = await browser.evaluate(leastContrast);
        check(`${page} fits into ${window} pixels in ${colours}, and its text has contrast`, found <= window && contrast >= 4.5,
          { width: found, contrast, where });
        await shoot(`${page.replace(".html", "")}-${window}-${colours}`);
      }
    }
    const missing = await nameless();
    check(`every control of ${page} has a name`, missing.length === 0, missing);
  }

  const wide = [];
  for (const page of all) {
    await browser.open(`${site}/${page}`, { width: 360 });
    if ((await browser.evaluate(width)) > 360) wide.push(page);
  }
  check(`all ${all.length} pages fit into 360 pixels`, all.length > 1 && wide.length === 0, wide);

  // Tab goes through a page from the top to the bottom, and everything that has the focus shows it.
  await browser.open(`${site}/${groups[0]}`, { width: 1280 });
  const stops = await browser.evaluate("[...document.querySelectorAll('a, button, input, select, summary, [tabindex=\"0\"]')].filter((each) => each.checkVisibility() && each.tabIndex >= 0).length");
  let last = -1;
  let problem = null;
  for (let step = 0; step < Math.min(stops, 60) && !problem; step += 1) {
    await browser.press("Tab");
    const [place, isShown] = await browser.evaluate(`(() => {
      const active = document.activeElement;
      return [[...document.querySelectorAll('*')].indexOf(active), getComputedStyle(active).outlineStyle !== "none"];
    })()`);
    if (place <= last || !isShown) problem = { step, place, last, isShown, at: await browser.evaluate("document.activeElement.outerHTML.slice(0, 120)") };
    last = place;
  }
  check(`Tab visits what a page has in its order (${Math.min(stops, 60)} of ${stops})`, problem === null, problem);
  check("nothing moves", (await browser.evaluate("document.getAnimations().length")) === 0);

  const entry = await browser.evaluate("searchIndex.find(([, , address]) => address.includes('#endpoint:'))");
  await browser.press("/", "Slash");
  check("/ focuses the search", await browser.evaluate("document.activeElement === document.querySelector('#search input')"));
  await browser.send("Input.insertText", { text: entry[0] });
  const found = await browser.evaluate("[...document.querySelectorAll('#found a')].map((link) => link.href)");
  check("an endpoint is found by its id", found.some((each) => each.endsWith(entry[2])), found);
  await shoot("search");
  await browser.press("Enter");
  check("Enter opens what was found", await until(`location.href === ${JSON.stringify(found[0])} && document.readyState === 'complete'`), await browser.evaluate("location.href"));

  await browser.open(`${site}/${groups[0]}`, { width: 1280 });
  const commands = "[...document.querySelectorAll('.command')].filter((each) => each.checkVisibility()).map((each) => each.dataset.environment)";
  const environments = await browser.evaluate("[...new Set([...document.querySelectorAll('.command')].map((each) => each.dataset.environment))]");
  check("the commands of one environment are shown", new Set(await browser.evaluate(commands)).size === 1, await browser.evaluate(commands));
  if (environments.length > 1) {
    await browser.evaluate("document.querySelector('.choice select').focus()");
    await browser.press("ArrowDown");
    check("the arrow down shows the commands of the next environment",
      await until(`${commands}.every((each) => each === ${JSON.stringify(environments[1])})`), await browser.evaluate(commands));
  }
  const copied = await browser.evaluate(`new Promise((done) => {
    const button = [...document.querySelectorAll(".copy")].find((each) => each.checkVisibility());
    if (!button) return done(["Copied", true]);
    let text = null;
    navigator.clipboard.writeText = (given) => { text = given; return Promise.resolve(); };
    new MutationObserver(() => done([button.textContent, text === button.parentElement.querySelector("code").textContent])).observe(button, { childList: true });
    button.click();
  })`);
  check("the button copies the command and says so", copied[0] === "Copied" && copied[1], copied);

  await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
  await browser.open(`${site}/${groups[0]}`, { width: 360 });
  check("without a script, there is neither a search nor a button",
    await browser.evaluate("!document.querySelector('#search').checkVisibility() && !document.querySelector('.copy')"));
  check("without a script, the commands of one environment are shown", new Set(await browser.evaluate(commands)).size === 1);

  const messages = browser.events.filter((event) =>
    ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"].includes(event.method));
  check("the console stays empty", messages.length === 0, messages.map((event) => event.params));
  const requests = browser.events.filter((event) => event.method === "Network.requestWillBeSent")
    .map((event) => event.params.request.url).filter((each) => !each.startsWith(site) && !each.startsWith("data:"));
  check("nothing is loaded from elsewhere", requests.length === 0, requests);
} finally {
  await browser.close(profile);
}
process.exit(failures === 0 ? 0 : 1);
