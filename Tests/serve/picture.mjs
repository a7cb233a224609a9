// Takes the picture of the page of `reqcli serve` for the documentation.
//
//   node Tests/serve/picture.mjs REQCLI PICTURE.webp
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Browser } from "../browser/browser.mjs";

const [reqcli, picture] = process.argv.slice(2);
const server = spawn(reqcli, ["serve", "--port", "0", "--json", "--until-eof"], { stdio: ["pipe", "pipe", "inherit"] });
const { url, page } = await new Promise((done) => createInterface({ input: server.stdout }).once("line", (line) => done(JSON.parse(line))));
const browser = await Browser.start();
try {
  for (const path of ["/breeds", "/v3/user/42/feed?order=ascending", "/v3/user/42/feeds"]) await fetch(url + path);
  await fetch(`${url}/v3/user`, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"age": "old"}' });
  // The port is another one each time; the picture shows the usual one.
  await browser.open(page, { width: 1200, height: 760 });
  await browser.until("!document.querySelector('#all').hidden");
  await browser.evaluate("document.querySelector('#find').value = 'user'; filter(); rows.get('user.feed').summary.click()");
  await browser.until("document.querySelector('#list details[open] pre')?.textContent");
  await browser.evaluate("[...document.querySelectorAll('#list details[open] .choices button')].find((each) => each.textContent === 'empty').click()");
  await browser.until("document.querySelector('#choice').textContent");
  await browser.evaluate("rows.get('user.feed').send.click()");
  await browser.until("document.querySelector('#list details[open] [role=status] pre')");
  await browser.until("document.querySelectorAll('#log > li').length === 5");
  await browser.evaluate(`document.querySelectorAll('#list pre').forEach((each) => { each.textContent = each.textContent.replace(${JSON.stringify(new URL(url).port)}, "8080"); })`);
  writeFileSync(picture, await browser.picture({ format: "webp", quality: 80 }));
} finally {
  await browser.close();
  server.stdin.end();
}
