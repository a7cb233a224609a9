// Opens a page of `report trend` in headless Chromium, and looks at it as a person would.
//
//   node Tests/browser/trend.mjs trend.html [FOLDER FOR SCREENSHOTS]
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser, checkLooks, complaints } from "./browser.mjs";

const [page, shots] = process.argv.slice(2);

let failures = 0;
function check(name, holds, found) {
  console.log(`${holds ? "ok" : "not ok"} - ${name}${holds ? "" : `: found ${JSON.stringify(found)}`}`);
  if (!holds) failures += 1;
}

const profile = mkdtempSync(join(tmpdir(), "trend-browser-"));
const browser = await Browser.start(profile);
try {
  const url = pathToFileURL(resolve(page)).href;
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await browser.send(`${domain}.enable`);
  await checkLooks(browser, url, check, async (name) => {
    if (!shots) return;
    const { data } = await browser.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: false });
    writeFileSync(join(shots, name), Buffer.from(data, "base64"));
  });

  const markup = await browser.evaluate("[...document.querySelectorAll('.name')].filter((each) => each.children.length > 0).length");
  check("names are text", markup === 0, markup);
  const [rows, lines] = await browser.evaluate("[document.querySelectorAll('tbody tr').length, document.querySelectorAll('tbody svg.line path').length]");
  check("each case has a line", rows > 0 && lines >= rows, [rows, lines]);
  await browser.press("Tab");
  const first = await browser.evaluate("document.activeElement.closest('.flaky-cases') !== null && document.activeElement.hash");
  check("Tab reaches the first flaky case", first.startsWith("#case-"), first);
  await browser.press("Enter");
  await browser.evaluate("new Promise((later) => setTimeout(later, 100))");
  check("Enter leads to its row", await browser.evaluate(`document.querySelector('tr:target')?.id === ${JSON.stringify(first.slice(1))}`));

  const messages = complaints(browser);
  check("the console stays empty, and nothing is fetched", messages.length === 0, messages);
} finally {
  await browser.close(profile);
}
process.exit(failures === 0 ? 0 : 1);
