// Takes a picture of a page in headless Chromium. A note is kept in the file, for a test that compares it with what it should show.
//
//   node Tests/browser/picture.mjs URL FILE.png WIDTH HEIGHT [NOTE [SELECTOR OF WHAT IS AT THE TOP]]
import { writeFileSync } from "node:fs";
import { Browser } from "./browser.mjs";

const [url, file, width, height, note, top] = process.argv.slice(2);
if (!height) {
  console.error("usage: picture.mjs URL FILE.png WIDTH HEIGHT [NOTE [SELECTOR]]");
  process.exit(2);
}

/// A text chunk of a PNG file.
function chunk(text) {
  const content = Buffer.from(`tEXtComment\0${text}`, "latin1");
  let crc = 0xffffffff;
  for (const byte of content) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  const ends = [Buffer.alloc(4), Buffer.alloc(4)];
  ends[0].writeUInt32BE(content.length - 4);
  ends[1].writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return Buffer.concat([ends[0], content, ends[1]]);
}

const browser = await Browser.start();
try {
  await browser.open(url, { width: Number(width), height: Number(height) });
  if (top) await browser.evaluate(`document.querySelector(${JSON.stringify(top)}).scrollIntoView()`);
  const png = await browser.picture();
  // A PNG file begins with 8 bytes and the chunk of its header, which has 25.
  writeFileSync(file, note ? Buffer.concat([png.subarray(0, 33), chunk(note), png.subarray(33)]) : png);
} finally {
  await browser.close();
}
