// Opens an HTML report in headless Chromium and looks at it as a person would: no message on the console, no request to
// anywhere, the filter filters, the timeline leads to its entries, and nothing sticks out at 360 pixels.
//
//   node Tests/browser/report.mjs report.html [FOLDER FOR SCREENSHOTS]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "./browser.mjs";

const [report, shots] = process.argv.slice(2);
if (!report) {
  console.error("usage: report.mjs report.html [FOLDER]");
  process.exit(2);
}

const url = pathToFileURL(resolve(report)).href;
await inspect(async (page) => {
  const { browser } = page;
  await page.checkLooks("the report", (window) => browser.open(url, window), { height: 1600 });
  await page.checkAccess("the report");
  const markup = await browser.evaluate("[...document.querySelectorAll('.id, .name')].filter((each) => each.querySelector(':not(b)')).length");
  page.check("names are text", markup === 0, markup);

  const total = await browser.evaluate("document.querySelectorAll('#cases .case').length");
  const shown = "[...document.querySelectorAll('#cases .case')].filter((each) => each.checkVisibility()).length";
  page.check("all cases are shown at first", total > 0 && (await browser.evaluate(shown)) === total, await browser.evaluate(shown));

  const verdicts = await browser.evaluate("[...document.querySelectorAll('#filter input[type=checkbox]')].map((box) => box.value)");
  for (const verdict of verdicts) {
    const box = `document.querySelector('#filter input[value=${verdict}]')`;
    const count = await browser.evaluate(`document.querySelectorAll('#cases .case[data-verdict=${verdict}]').length`);
    await browser.evaluate(`${box}.click()`);
    page.check(`unticking ${verdict} hides its cases`, (await browser.evaluate(shown)) === total - count, await browser.evaluate(shown));
    await browser.evaluate(`${box}.click()`);
  }

  const first = await browser.evaluate("document.querySelector('#cases .id').textContent");
  await browser.evaluate("document.querySelector('#text').focus()");
  await browser.send("Input.insertText", { text: first.toUpperCase() });
  const matching = await browser.evaluate(shown);
  page.check("typing an id shows its case", matching >= 1 && (total === 1 || matching < total), matching);
  page.check("what is shown is counted", (await browser.evaluate("document.querySelector('#shown').textContent")) === `${matching} of ${total} shown`);
  await page.shoot("filtered");
  await browser.send("Input.insertText", { text: " nothing holds these words" });
  page.check("words that nothing holds show nothing", (await browser.evaluate(shown)) === 0);
  await browser.evaluate("const text = document.querySelector('#text'); text.value = ''; text.dispatchEvent(new Event('input', { bubbles: true }))");
  page.check("without words all are back", (await browser.evaluate(shown)) === total);

  await browser.open(url, { width: 1200, scheme: "light" });
  page.check("Tab reaches the cases", await browser.tabTo("document.activeElement.tagName === 'SUMMARY'"));
  const isOpen = "document.activeElement.parentElement.open";
  const before = await browser.evaluate(isOpen);
  await browser.press("Enter");
  page.check("Enter opens and closes one", (await browser.evaluate(isOpen)) !== before);

  const order = await browser.evaluate("[...document.querySelectorAll('#cases .case')].map((each) => each.dataset.verdict)");
  const good = order.findIndex((each) => each === "passed" || each === "notRun");
  page.check("what did not pass comes first", good < 0 || order.slice(good).every((each) => each === "passed" || each === "notRun"), order);

  await browser.send("Browser.grantPermissions", { permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"] });
  const copies = await browser.evaluate("document.querySelectorAll('pre.curl').length");
  page.check("each curl command has a button", (await browser.evaluate("document.querySelectorAll('.with-copy > button').length")) === copies);
  if (copies > 0) {
    const copied = await browser.evaluate(`new Promise((done) => {
      const button = document.querySelector('.with-copy > button');
      let text = "nothing";
      navigator.clipboard.writeText = (given) => { text = given; return Promise.resolve(); };
      button.closest("details").open = true;
      new MutationObserver(() => done([text === document.querySelector('pre.curl').textContent, button.textContent])).observe(button, { childList: true });
      button.click();
    })`);
    page.check("the button copies the command and says so", copied[0] && copied[1] === "Copied", copied);
  }

  const bars = await browser.evaluate("document.querySelectorAll('#timeline a').length");
  if (bars > 0) {
    await browser.evaluate("document.querySelector('#timeline li:last-of-type a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))");
    await browser.evaluate("new Promise((later) => setTimeout(later, 100))");
    page.check("the timeline leads to an entry and opens it", await browser.evaluate("document.querySelector(location.hash)?.open === true"));
  }

  for (const width of [320, 360]) {
    await browser.open(url, { width, height: 800, scheme: "light" });
    const wide = await browser.evaluate("[document.documentElement.scrollWidth, innerWidth]");
    page.check(`nothing sticks out at ${width} pixels`, wide[0] <= width, wide);
    await browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    const opened = await browser.evaluate("document.documentElement.scrollWidth");
    page.check("nor with all cases open", opened <= width, opened);
    const tracks = await browser.evaluate("[...document.querySelectorAll('#timeline .track')].map((each) => each.clientWidth)");
    page.check("the bars have most of the width", tracks.every((each) => each > width / 2), tracks);
    const thin = await browser.evaluate("[...document.querySelectorAll('#timeline .bar')].filter((each) => each.offsetWidth < 3 || each.offsetHeight < 8).length");
    page.check("no bar is too small to see", thin === 0, thin);
  }
  page.checkQuiet(["file:"]);
}, { shots });
