// Opens a page in headless Chromium that calls `reqcli serve`: CORS with and without credentials, preflights, cookies.
//
//   node Tests/serve/page.mjs OWN NONE EVERYBODY OTHER TOKEN
//
// The URLs of servers: as usual, with --no-cors, with --cors '*', and with --cors for another origin.
import { createServer } from "node:http";
import { inspect } from "../browser/browser.mjs";

const [own, none, everybody, other, token] = process.argv.slice(2);

const json = (url, options = {}) =>
  `fetch(${JSON.stringify(url)}, ${JSON.stringify(options)}).then((response) => response.json())`;
const status = (url, options = {}) =>
  `fetch(${JSON.stringify(url)}, ${JSON.stringify(options)}).then((response) => response.status, () => "failed")`;
const withCookies = { credentials: "include" };

const pages = createServer((request, response) => response.setHeader("Content-Type", "text/html").end("<title>page</title>"));
await new Promise((done) => pages.listen(0, "127.0.0.1", done));
await inspect(async (page) => {
  const { browser } = page;
  async function check(name, expression, expected) {
    const found = await browser.evaluate(expression).catch(String);
    page.check(name, JSON.stringify(found) === JSON.stringify(expected), found);
  }
  await browser.open(`http://localhost:${pages.address().port}/`, { width: 800 });

  await check("a page of this machine reads", json(`${own}/v1/user/1/feed`), [1, 2, 3]);
  await check("it reads errors, too", json(`${own}/v1/nothing`).replace("response.json()", "response.status"), 404);
  await check(
    "a preflight lets a JSON body and a header of its own through",
    json(`${own}/v1/user`, {
      method: "POST", headers: { "Content-Type": "application/json", "X-Own": "1" }, body: '{"name": "Ada"}',
    }), { name: "Ada" });
  await check("a header chooses the variant", json(`${own}/v1/user/1/feed`, { headers: { "X-Reqcli-Stub": "empty" } }), []);
  await check("a cookie is set", status(`${own}/v1/login`, { method: "POST", ...withCookies }), 204);
  await check("the cookie comes back", json(`${own}/v1/me`, withCookies), { cookie: "sid=crumb" });
  await check("without credentials it stays away", json(`${own}/v1/me`, { credentials: "omit" }), {});
  await check("no page gets at the control API", status(`${own}/__reqcli/health`), "failed");
  await check(
    "no page gets at the control API with the token",
    status(`${own}/__reqcli/`, { headers: { Authorization: `Bearer ${token}` } }), "failed");

  await check("with --no-cors no page reads", status(`${none}/v1/user/1/feed`), "failed");
  await check("with --cors '*' all pages read", json(`${everybody}/v1/user/1/feed`), [1, 2, 3]);
  await check("but not with cookies", status(`${everybody}/v1/user/1/feed`, withCookies), "failed");
  await check("with --cors another origin doesn't read", status(`${other}/v1/user/1/feed`), "failed");
  pages.close();
});
