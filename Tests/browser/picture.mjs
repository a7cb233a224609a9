// Takes a picture of a page in headless Chromium.
//
//   node Tests/browser/picture.mjs URL FILE.png WIDTH HEIGHT
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "./browser.mjs";

const [url, file, width, height] = process.argv.slice(2);
if (!height) {
  console.error("usage: picture.mjs URL FILE.png WIDTH HEIGHT");
  process.exit(2);
}
const profile = mkdtempSync(join(tmpdir(), "picture-browser-"));
const browser = await Browser.start(profile);
try {
  await browser.send("Page.enable");
  await browser.open(url, { width: Number(width), height: Number(height) });
  const { data } = await browser.send("Page.captureScreenshot", { format: "png" });
  writeFileSync(file, Buffer.from(data, "base64"));
} finally {
  await browser.close(profile);
}
