// Opens pages of the documentation in headless Chromium: nothing sticks out, text can be read, and the search works by keyboard.
//
//   node Tests/site/pages.mjs URL [FOLDER FOR SCREENSHOTS]
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, leastContrast } from "../browser/browser.mjs";

const [site, shots] = process.argv.slice(2);
const pages = ["index.html", "docs/reference/cli.html", "docs/tutorials/first-workspace.html"];
const scheme = site.split(":")[0];

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

// Waits until a condition is met, for at most 5 seconds.
async function until(condition) {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    if (await browser.evaluate(condition)) return true;
    await new Promise((later) => setTimeout(later, 50));
  }
  return false;
}

const width = "document.documentElement.scrollWidth";
const chosen = "document.querySelector('[aria-selected=true] a')?.href";

const profile = mkdtempSync(join(tmpdir(), "site-browser-"));
const browser = await Browser.start(profile);
try {
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.send(`${domain}.enable`);

  for (const page of pages) {
    for (const window of [360, 800, 1280]) {
      for (const colours of ["light", "dark"]) {
        await browser.open(`${site}/${page}`, { width: window, scheme: colours });
        const found = await browser.evaluate(width);
        const [contrast, where] = await browser.evaluate(leastContrast);
        check(`${page} fits into ${window} pixels in ${colours}, and its text has contrast`, found <= window && contrast >= 4.5,
          { width: found, contrast, where });
        await shoot(`${page.replaceAll("/", "-").replace(".html", "")}-${window}-${colours}`);
      }
    }
  }

  const all = await browser.evaluate("searchIndex.map(([, , address]) => address).filter((address) => !address.includes('#'))");
  const wide = [];
  for (const page of all) {
    await browser.open(`${site}/${page}`, { width: 360 });
    if ((await browser.evaluate(`location.href === ${JSON.stringify(`${site}/${page}`)} && ${width}`)) !== 360) wide.push(page);
  }
  check(`all ${all.length} pages fit into 360 pixels`, all.length > 40 && wide.length === 0, wide);

  await browser.open(`${site}/index.html`, { width: 1280 });
  await browser.press("/", "Slash");
  check("/ focuses the search", await browser.evaluate("document.activeElement === document.querySelector('#search input') && document.activeElement.value === ''"));
  await browser.send("Input.insertText", { text: "cookies" });
  const found = await browser.evaluate("[...document.querySelectorAll('#found a')].map((link) => link.href)");
  check("a search for cookies finds pages", found.length > 1 && found[0] === `${site}/docs/reference/http.html#cookies`, found);
  await shoot("search");
  await browser.press("ArrowDown");
  check("the arrow down chooses the second entry", (await browser.evaluate(chosen)) === found[1], await browser.evaluate(chosen));
  await browser.press("ArrowUp");
  check("the arrow up chooses the first", (await browser.evaluate(chosen)) === found[0], await browser.evaluate(chosen));
  await browser.press("Enter");
  check("Enter opens it", await until(`location.href === ${JSON.stringify(found[0])} && document.readyState === 'complete'`), await browser.evaluate("location.href"));
  const top = await browser.evaluate("[document.querySelector('#cookies').getBoundingClientRect().top, document.querySelector('header').offsetHeight]");
  check("its heading is below the bar", top[0] >= top[1] && top[0] < 400, top);
  await browser.press("/", "Slash");
  await browser.send("Input.insertText", { text: "no title has this" });
  check("words that no title has are said to be missing", await browser.evaluate("!document.querySelector('#found').hidden && !document.querySelector('#found a')"));
  await browser.press("Escape");
  check("Escape closes the list", await browser.evaluate("document.querySelector('#found').hidden"));

  await browser.open(`${site}/docs/tutorials/first-workspace.html`, { width: 360 });
  const copied = await browser.evaluate("(() => { getSelection().selectAllChildren(document.querySelector('.language-console')); return String(getSelection()); })()");
  check("prompts are not selected", copied.startsWith("reqcli init\n") && !copied.includes("$ "), copied);

  await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
  await browser.open(`${site}/docs/tutorials/first-workspace.html`, { width: 360 });
  check("without a script, there is no search", await browser.evaluate("!document.querySelector('#search').checkVisibility()"));
  for (const list of ["pages", "contents"]) {
    const shown = `document.querySelector('nav.${list}').checkVisibility()`;
    const before = await browser.evaluate(shown);
    await browser.evaluate(`document.querySelector('nav.${list}').previousElementSibling.firstElementChild.click()`);
    check(`without a script, the list of ${list} opens`, !before && (await browser.evaluate(shown)));
  }
  check("the current page is marked", (await browser.evaluate("document.querySelector('nav [aria-current=page]')?.textContent")) === "First workspace");
  check("the open lists fit into 360 pixels", (await browser.evaluate(width)) <= 360, await browser.evaluate(width));
  await shoot("menu-360");

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
