// Opens an HTML report in headless Chromium and looks at it as a person would: no message on the console, no request to
// anywhere, the filter filters, the timeline leads to its entries, and nothing sticks out at 360 pixels.
//
//   node Tests/browser/report.mjs report.html [FOLDER FOR SCREENSHOTS]
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser, checkLooks, complaints } from "./browser.mjs";

const [report, shots] = process.argv.slice(2);
if (!report) {
  console.error("usage: report.mjs report.html [FOLDER]");
  process.exit(2);
}

async function shoot(name) {
  if (!shots) return;
  const { data } = await browser.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: false });
  writeFileSync(join(shots, name), Buffer.from(data, "base64"));
}

let failures = 0;
function check(name, holds, found) {
  console.log(`${holds ? "ok" : "not ok"} - ${name}${holds ? "" : `: found ${JSON.stringify(found)}`}`);
  if (!holds) failures += 1;
}

const profile = mkdtempSync(join(tmpdir(), "report-browser-"));
const browser = await Browser.start(profile);
try {
  const url = pathToFileURL(resolve(report)).href;
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.send(`${domain}.enable`);

  await checkLooks(browser, url, check, shoot);
  const markup = await browser.evaluate("[...document.querySelectorAll('.id, .name')].filter((each) => each.querySelector(':not(b)')).length");
  check("names are text", markup === 0, markup);

  const total = await browser.evaluate("document.querySelectorAll('#cases .case').length");
  const shown = "[...document.querySelectorAll('#cases .case')].filter((each) => each.checkVisibility()).length";
  check("all cases are shown at first", total > 0 && (await browser.evaluate(shown)) === total, await browser.evaluate(shown));

  const verdicts = await browser.evaluate("[...document.querySelectorAll('#filter input[type=checkbox]')].map((box) => box.value)");
  for (const verdict of verdicts) {
    const box = `document.querySelector('#filter input[value=${verdict}]')`;
    const count = await browser.evaluate(`document.querySelectorAll('#cases .case[data-verdict=${verdict}]').length`);
    await browser.evaluate(`${box}.click()`);
    check(`unticking ${verdict} hides its cases`, (await browser.evaluate(shown)) === total - count, await browser.evaluate(shown));
    await browser.evaluate(`${box}.click()`);
  }

  const first = await browser.evaluate("document.querySelector('#cases .id').textContent");
  await browser.evaluate("document.querySelector('#text').focus()");
  await browser.send("Input.insertText", { text: first.toUpperCase() });
  const matching = await browser.evaluate(shown);
  check("typing an id shows its case", matching >= 1 && (total === 1 || matching < total), matching);
  check("what is shown is counted", (await browser.evaluate("document.querySelector('#shown').textContent")) === `${matching} of ${total} shown`);
  await shoot("filtered.png");
  await browser.send("Input.insertText", { text: " nothing holds these words" });
  check("words that nothing holds show nothing", (await browser.evaluate(shown)) === 0);
  await browser.evaluate("const text = document.querySelector('#text'); text.value = ''; text.dispatchEvent(new Event('input', { bubbles: true }))");
  check("without words all are back", (await browser.evaluate(shown)) === total);

  await browser.open(url, { width: 1200, scheme: "light" });
  let reached = false;
  for (let steps = 0; steps < 40 && !reached; steps += 1) {
    await browser.press("Tab");
    reached = await browser.evaluate("document.activeElement.tagName === 'SUMMARY'");
  }
  check("Tab reaches the cases", reached);
  const isOpen = "document.activeElement.parentElement.open";
  const before = await browser.evaluate(isOpen);
  await browser.press("Enter");
  check("Enter opens and closes one", (await browser.evaluate(isOpen)) !== before);

  const order = await browser.evaluate("[...document.querySelectorAll('#cases .case')].map((each) => each.dataset.verdict)");
  const good = order.findIndex((each) => each === "passed" || each === "notRun");
  check("what did not pass comes first", good < 0 || order.slice(good).every((each) => each === "passed" || each === "notRun"), order);

  await browser.send("Browser.grantPermissions", { permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"] });
  const copies = await browser.evaluate("document.querySelectorAll('pre.curl').length");
  check("each curl command has a button", (await browser.evaluate("document.querySelectorAll('.with-copy > button').length")) === copies);
  if (copies > 0) {
    const copied = await browser.evaluate(`new Promise((done) => {
      const button = document.querySelector('.with-copy > button');
      let text = "nothing";
      navigator.clipboard.writeText = (given) => { text = given; return Promise.resolve(); };
      button.closest("details").open = true;
      new MutationObserver(() => done([text === document.querySelector('pre.curl').textContent, button.textContent])).observe(button, { childList: true });
      button.click();
    })`);
    check("the button copies the command and says so", copied[0] && copied[1] === "Copied", copied);
  }

  const bars = await browser.evaluate("document.querySelectorAll('#timeline a').length");
  if (bars > 0) {
    await browser.evaluate("document.querySelector('#timeline li:last-of-type a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))");
    await browser.evaluate("new Promise((later) => setTimeout(later, 100))");
    check("the timeline leads to an entry and opens it", await browser.evaluate("document.querySelector(location.hash)?.open === true"));
  }

  for (const width of [320, 360]) {
    await browser.open(url, { width, height: 800, scheme: "light" });
    const wide = await browser.evaluate("[document.documentElement.scrollWidth, innerWidth]");
    check(`nothing sticks out at ${width} pixels`, wide[0] <= width, wide);
    await browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    const opened = await browser.evaluate("document.documentElement.scrollWidth");
    check("nor with all cases open", opened <= width, opened);
    const tracks = await browser.evaluate("[...document.querySelectorAll('#timeline .track')].map((each) => each.clientWidth)");
    check("the bars have most of the width", tracks.every((each) => each > width / 2), tracks);
    const thin = await browser.evaluate("[...document.querySelectorAll('#timeline .bar')].filter((each) => each.offsetWidth < 3 || each.offsetHeight < 8).length");
    check("no bar is too small to see", thin === 0, thin);
  }
  const messages = complaints(browser);
  check("the console stays empty, and nothing is fetched", messages.length === 0, messages);
} finally {
  await browser.close(profile);
}
process.exit(failures === 0 ? 0 : 1);
