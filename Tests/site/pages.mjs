// Opens pages of the documentation in headless Chromium: nothing sticks out, text can be read, and the search works by keyboard.
//
//   node Tests/site/pages.mjs URL [FOLDER FOR SCREENSHOTS]
import { inspect } from "../browser/browser.mjs";

const [site, shots] = process.argv.slice(2);
const pages = ["index.html", "docs/reference/cli.html", "docs/tutorials/first-workspace.html"];
const chosen = "document.querySelector('[aria-selected=true] a')?.href";

await inspect(async (page) => {
  const { browser } = page;
  for (const name of pages) {
    await page.checkLooks(name, (window) => browser.open(`${site}/${name}`, window));
    await page.checkAccess(name);
  }

  const all = await browser.evaluate("searchIndex.map(([, , address]) => address).filter((address) => !address.includes('#'))");
  const wide = [];
  for (const name of all) {
    await browser.open(`${site}/${name}`, { width: 360 });
    if ((await browser.evaluate("location.href")) !== `${site}/${name}` || (await browser.width()) !== 360) wide.push(name);
  }
  page.check(`all ${all.length} pages fit into 360 pixels`, all.length > 40 && wide.length === 0, wide);

  await browser.open(`${site}/index.html`, { width: 1280 });
  await browser.press("/", "Slash");
  page.check("/ focuses the search", await browser.evaluate("document.activeElement === document.querySelector('#search input') && document.activeElement.value === ''"));
  await browser.send("Input.insertText", { text: "cookies" });
  const found = await browser.evaluate("[...document.querySelectorAll('#found a')].map((link) => link.href)");
  page.check("a search for cookies finds pages", found.length > 1 && found[0] === `${site}/docs/reference/http.html#cookies`, found);
  await page.shoot("search");
  await browser.press("ArrowDown");
  page.check("the arrow down chooses the second entry", (await browser.evaluate(chosen)) === found[1], await browser.evaluate(chosen));
  await browser.press("ArrowUp");
  page.check("the arrow up chooses the first", (await browser.evaluate(chosen)) === found[0], await browser.evaluate(chosen));
  await browser.press("Enter");
  page.check("Enter opens it", await browser.until(`location.href === ${JSON.stringify(found[0])} && document.readyState === 'complete'`), await browser.evaluate("location.href"));
  const top = await browser.evaluate("[document.querySelector('#cookies').getBoundingClientRect().top, document.querySelector('header').offsetHeight]");
  page.check("its heading is below the bar", top[0] >= top[1] && top[0] < 400, top);
  await browser.press("/", "Slash");
  await browser.send("Input.insertText", { text: "no title has this" });
  page.check("words that no title has are said to be missing", await browser.evaluate("!document.querySelector('#found').hidden && !document.querySelector('#found a')"));
  await browser.press("Escape");
  page.check("Escape closes the list", await browser.evaluate("document.querySelector('#found').hidden"));

  await browser.open(`${site}/docs/tutorials/first-workspace.html`, { width: 360 });
  const copied = await browser.evaluate("(() => { getSelection().selectAllChildren(document.querySelector('.language-console')); return String(getSelection()); })()");
  page.check("prompts are not selected", copied.startsWith("reqcli init\n") && !copied.includes("$ "), copied);

  await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
  await browser.open(`${site}/docs/tutorials/first-workspace.html`, { width: 360 });
  page.check("without a script, there is no search", await browser.evaluate("!document.querySelector('#search').checkVisibility()"));
  for (const list of ["pages", "contents"]) {
    const shown = `document.querySelector('nav.${list}').checkVisibility()`;
    const before = await browser.evaluate(shown);
    await browser.evaluate(`document.querySelector('nav.${list}').previousElementSibling.firstElementChild.click()`);
    page.check(`without a script, the list of ${list} opens`, !before && (await browser.evaluate(shown)));
  }
  page.check("the current page is marked", (await browser.evaluate("document.querySelector('nav [aria-current=page]')?.textContent")) === "First workspace");
  page.check("the open lists fit into 360 pixels", (await browser.width()) <= 360, await browser.width());
  await page.shoot("menu-360");

  page.checkQuiet([site]);
}, { about: `${site.split(":")[0]}: `, shots });
