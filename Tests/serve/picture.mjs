// Takes the picture of the page of `reqcli serve` for the documentation.
//
//   node Tests/serve/picture.mjs REQCLI PICTURE.webp
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser } from "../browser/browser.mjs";

const [reqcli, picture] = process.argv.slice(2);
const server = spawn(reqcli, ["serve", "--port", "0", "--json", "--until-eof"], { stdio: ["pipe", "pipe", "inherit"] });
const { url, page } = await new Promise((done) => createInterface({ input: server.stdout }).once("line", (line) => done(JSON.parse(line))));
const profile = mkdtempSync(join(tmpdir(), "picture-browser-"));
const browser = await Browser.start(profile);

async function until(condition) {
  for (let attempts = 0; attempts < 200 && !(await browser.evaluate(condition)); attempts += 1) {
    await new Promise((later) => setTimeout(later, 50));
  }
}

try {
  for (const path of ["/breeds", "/v3/user/42/feed?order=ascending", "/v3/user/42/feeds"]) await fetch(url + path);
  await fetch(`${url}/v3/user`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"age": "old"}' });
  for (const domain of ["Page", "Runtime"]) await browser.send(`${domain}.enable`);
  // The port is another one each time; the picture shows the usual one.
  await browser.open(page, { width: 1200, height: 760 });
  await until("!document.querySelector('#all').hidden");
  await browser.evaluate("document.querySelector('#find').value = 'user'; filter(); rows.get('user.feed').summary.click()");
  await until("document.querySelector('#list details[open] pre')?.textContent");
  await browser.evaluate("[...document.querySelectorAll('#list details[open] .choices button')].find((each) => each.textContent === 'empty').click()");
  await until("document.querySelector('#choice').textContent");
  await browser.evaluate("rows.get('user.feed').send.click()");
  await until("document.querySelector('#list details[open] [role=status] pre')");
  await until("document.querySelectorAll('#log > li').length === 5");
  await browser.evaluate(`document.querySelectorAll('#list pre').forEach((each) => { each.textContent = each.textContent.replace(${JSON.stringify(new URL(url).port)}, "8080"); })`);
  const { data } = await browser.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  writeFileSync(picture, Buffer.from(data, "base64"));
} finally {
  await browser.close(profile);
  server.stdin.end();
}
