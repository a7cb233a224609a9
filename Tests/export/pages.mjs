// Opens the documentation of a workspace in headless Chromium: it fits, can be read, says what each control is, and works by keyboard.
//
//   node Tests/export/pages.mjs URL [FOLDER FOR SCREENSHOTS]
import { inspect } from "../browser/browser.mjs";

const [site, shots] = process.argv.slice(2);

await inspect(async (page) => {
  const { browser } = page;
  await browser.open(`${site}/index.html`, { width: 1280 });
  const all = await browser.evaluate("[...document.querySelectorAll('nav.pages a')].map((link) => link.getAttribute('href'))");
  const groups = await browser.evaluate("[...document.querySelectorAll('nav.pages h2:last-of-type + ul a')].map((link) => link.getAttribute('href'))");
  const own = all.filter((page) => !groups.includes(page));

  for (const name of [...own, groups[0]]) {
    await page.checkLooks(name, (window) => browser.open(`${site}/${name}`, window), {
      states: [() => browser.evaluate("document.querySelectorAll('.variant').forEach((each) => { each.open = true; })")],
    });
    await page.checkAccess(name);
  }

  const wide = [];
  for (const name of all) {
    await browser.open(`${site}/${name}`, { width: 360 });
    if ((await browser.width()) > 360) wide.push(name);
  }
  page.check(`all ${all.length} pages fit into 360 pixels`, all.length > 1 && wide.length === 0, wide);

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
  page.check(`Tab visits what a page has in its order (${Math.min(stops, 60)} of ${stops})`, problem === null, problem);

  const entry = await browser.evaluate("searchIndex.find(([, , address]) => address.includes('#endpoint:'))");
  await browser.press("/", "Slash");
  page.check("/ focuses the search", await browser.evaluate("document.activeElement === document.querySelector('#search input')"));
  await browser.send("Input.insertText", { text: entry[0] });
  const found = await browser.evaluate("[...document.querySelectorAll('#found a')].map((link) => link.href)");
  page.check("an endpoint is found by its id", found.some((each) => each.endsWith(entry[2])), found);
  await page.shoot("search");
  await browser.press("Enter");
  page.check("Enter opens what was found", await browser.until(`location.href === ${JSON.stringify(found[0])} && document.readyState === 'complete'`), await browser.evaluate("location.href"));

  await browser.open(`${site}/${groups[0]}`, { width: 1280 });
  const commands = "[...document.querySelectorAll('.command')].filter((each) => each.checkVisibility()).map((each) => each.dataset.environment)";
  const environments = await browser.evaluate("[...new Set([...document.querySelectorAll('.command')].map((each) => each.dataset.environment))]");
  page.check("the commands of one environment are shown", new Set(await browser.evaluate(commands)).size === 1, await browser.evaluate(commands));
  if (environments.length > 1) {
    await browser.evaluate("document.querySelector('.choice select').focus()");
    await browser.press("ArrowDown");
    page.check("the arrow down shows the commands of the next environment",
      await browser.until(`${commands}.every((each) => each === ${JSON.stringify(environments[1])})`), await browser.evaluate(commands));
  }
  const copied = await browser.evaluate(`new Promise((done) => {
    const button = [...document.querySelectorAll(".copy")].find((each) => each.checkVisibility());
    if (!button) return done(["Copied", true]);
    let text = null;
    navigator.clipboard.writeText = (given) => { text = given; return Promise.resolve(); };
    new MutationObserver(() => done([button.textContent, text === button.parentElement.querySelector("code").textContent])).observe(button, { childList: true });
    button.click();
  })`);
  page.check("the button copies the command and says so", copied[0] === "Copied" && copied[1], copied);

  await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
  await browser.open(`${site}/${groups[0]}`, { width: 360 });
  page.check("without a script, there is neither a search nor a button",
    await browser.evaluate("!document.querySelector('#search').checkVisibility() && !document.querySelector('.copy')"));
  page.check("without a script, the commands of one environment are shown", new Set(await browser.evaluate(commands)).size === 1);

  page.checkQuiet([site]);
}, { about: `${site.split(":")[0]}: `, shots });
