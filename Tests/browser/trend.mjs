// Opens a page of `report trend` in headless Chromium, and looks at it as a person would.
//
//   node Tests/browser/trend.mjs trend.html [FOLDER FOR SCREENSHOTS]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "./browser.mjs";

const [trend, shots] = process.argv.slice(2);
const url = pathToFileURL(resolve(trend)).href;

await inspect(async (page) => {
  const { browser } = page;
  await page.checkLooks("the trend", (window) => browser.open(url, window), { height: 1600 });
  await page.checkAccess("the trend");
  const markup = await browser.evaluate("[...document.querySelectorAll('.name')].filter((each) => each.children.length > 0).length");
  page.check("names are text", markup === 0, markup);
  const [rows, lines] = await browser.evaluate("[document.querySelectorAll('tbody tr').length, document.querySelectorAll('tbody svg.line path').length]");
  page.check("each case has a line", rows > 0 && lines >= rows, [rows, lines]);
  await browser.press("Tab");
  const first = await browser.evaluate("document.activeElement.closest('.flaky-cases') !== null && document.activeElement.hash");
  page.check("Tab reaches the first flaky case", first.startsWith("#case-"), first);
  await browser.press("Enter");
  await browser.evaluate("new Promise((later) => setTimeout(later, 100))");
  page.check("Enter leads to its row", await browser.evaluate(`document.querySelector('tr:target')?.id === ${JSON.stringify(first.slice(1))}`));

  page.checkQuiet(["file:"]);
}, { shots });
