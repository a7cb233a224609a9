// Opens the page of `reqcli serve` in headless Chromium: its looks, the keyboard, hostile text, and pages of other origins.
//
//   node Tests/serve/served-page.mjs FEW MANY READING [FOLDER FOR SCREENSHOTS]
//
// The links to the pages of three servers: with five endpoints, with hundreds of which 500 have hostile text, and with --no-control.
import { createServer } from "node:http";
import { inspect } from "../browser/browser.mjs";

const [few, many, reading, shots] = process.argv.slice(2);
const [origin, token] = [new URL(few).origin, new URL(few).hash.slice(1)];

const quoted = JSON.stringify;
const focused = "document.activeElement";

await inspect(async (page) => {
  const { browser } = page;
  const evaluate = (expression) => browser.evaluate(expression);
  async function open(link, options) {
    // The fragment alone would not load the page again.
    await browser.send("Page.navigate", { url: "about:blank" });
    await browser.until("location.href === 'about:blank'");
    await browser.open(link, options);
    await browser.until("!document.querySelector('#all').hidden || !document.querySelector('#key').hidden");
  }
  await browser.send("Page.addScriptToEvaluateOnNewDocument", { source: "window.hits = 0; window.hit = () => { window.hits += 1; };" });

  // Looks

  for (let number = 0; number < 3; number += 1) await fetch(`${origin}/v1/user/${number}/feed`);
  await fetch(`${origin}/v1/users/7/feed`);
  await fetch(`${origin}/v1/user`, { method: "POST", body: '{"name": 7}', headers: { "Content-Type": "application/json" } });
  for (const [name, link] of [["few", few], ["many", many]]) {
    const opened = async (window) => {
      await open(link, window);
      await evaluate("document.querySelector('#list summary').click(); true");
      await browser.until("document.querySelector('#list pre')?.textContent.length > 0");
    };
    await page.checkLooks(name, opened, { states: [() => evaluate("view('endpoints')"), () => evaluate("view('requests')")] });
  }
  page.check("many endpoints are listed", (await evaluate("document.querySelectorAll('#list > li').length")) >= 800);

  // Names

  await open(few, { width: 1280 });
  await evaluate("document.querySelectorAll('#list summary').forEach((each) => each.click())");
  await browser.until("[...document.querySelectorAll('#list pre')].every((each) => each.textContent)");
  await page.checkAccess("the page");
  page.check("headings are in order", await evaluate("[...document.querySelectorAll('h1, h2, h3')].every((each, index, all) => Number(each.tagName[1]) - Number(all[index - 1]?.tagName[1] ?? 0) <= 1)"));

  // The keyboard

  await open(few, { width: 1280 });
  await browser.press("/", "Slash");
  page.check("/ focuses the search", await evaluate(`${focused}.id === 'find' && ${focused}.value === ''`));
  await browser.send("Input.insertText", { text: "feed" });
  page.check("the search finds", (await evaluate("document.querySelectorAll('#list > li:not([hidden])').length")) === 1);
  page.check("Tab reaches the endpoint", await browser.tabTo(`${focused}.tagName === 'SUMMARY'`));
  await browser.press("Enter");
  page.check("Enter opens it", await browser.until("document.querySelector('#list details[open] pre')?.textContent.length > 0"));
  const button = (name) => `[...document.querySelectorAll('#list details[open] .choices button')].find((each) => each.textContent === ${quoted(name)})`;
  page.check("Tab reaches a variant", await browser.tabTo(`${focused} === ${button("empty")}`));
  await browser.press(" ", "Space");
  page.check("Space chooses it", await browser.until(`${button("empty")}.getAttribute('aria-pressed') === 'true'`));
  page.check("the focus stays", await evaluate(`${focused} === ${button("empty")}`));
  page.check("it is said", await browser.until("document.querySelector('#choice').textContent === 'user.feed responds with empty.'"));
  page.check("the mock responds with it", (await (await fetch(`${origin}/v1/user/1/feed`)).text()) === "[]");
  page.check("Tab reaches a param", await browser.tabTo(`${focused}.tagName === 'INPUT' && ${focused}.closest('.params')`));
  await evaluate(`${focused}.select()`);
  await browser.send("Input.insertText", { text: "many" });
  const curl = "document.querySelector('#list details[open] pre')";
  page.check("a wrong param is reported", await browser.until(`${curl}.textContent.includes('takes a whole number')`), await evaluate(`${curl}.textContent`));
  await page.shoot("wrong-param");
  await evaluate(`${focused}.select()`);
  await browser.send("Input.insertText", { text: "4711" });
  page.check("the curl command has the param", await browser.until(`${curl}.textContent.startsWith('curl ') && ${curl}.textContent.includes('${origin}/v1/user/4711/feed')`), await evaluate(`${curl}.textContent`));
  page.check("Tab reaches Send", await browser.tabTo(`${focused}.textContent === 'Send'`));
  await browser.press("Enter");
  const result = "document.querySelector('#list details[open] [role=status]')";
  page.check("Enter sends, and the response is shown", await browser.until(`/^200, user.feed=empty, \\d+ ms/.test(${result}.textContent)`), await evaluate(`${result}.textContent`));
  page.check("the log shows the request", await browser.until("document.querySelector('#log > li')?.textContent.includes('/v1/user/4711/feed')"));
  page.check("Tab reaches the log", await browser.tabTo(`${focused}.closest('#log')`));
  await browser.press("End");
  await browser.press("Home");
  await browser.press("ArrowDown");
  page.check("arrows go through the log", await evaluate(`${focused} === document.querySelectorAll('#log summary')[1]`));
  await browser.press("Enter");
  page.check("Enter shows headers and body", await browser.until("document.querySelector('#log details[open] pre')?.textContent.length > 0"));
  await evaluate("document.querySelector('#clear').focus(); true");
  await browser.press("Enter");
  page.check("all choices are undone", await browser.until(`document.querySelector('#clear').hidden && ${focused}.id === 'find'`));
  await page.shoot("used");

  // The log

  const unknown = await evaluate("document.querySelector('#unknown ul').textContent");
  page.check("unknown requests are listed with what was nearest", unknown.includes("GET /v1/users/7/feed") && unknown.includes("GET /v1/user/{{id}}/feed"), unknown);
  const verdict = await evaluate("document.querySelector('#verify').textContent");
  page.check("the verification shows the problems", verdict.includes("--verify would end with 1 now") && verdict.includes("GET /v1/users/7/feed"), verdict);
  await evaluate("document.querySelector('#pause').click(); true");
  await browser.until("document.querySelector('#state').textContent.includes('paused')");
  await fetch(`${origin}/v1/user/815/feed`);
  await new Promise((later) => setTimeout(later, 1500));
  page.check("Pause pauses", !(await evaluate("document.querySelector('#log').textContent.includes('/815/')")));
  await evaluate("document.querySelector('#pause').click(); true");
  page.check("and continues", await browser.until("document.querySelector('#log').textContent.includes('/815/')"));
  for (let number = 0; number < 3000; number += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => fetch(`${origin}/v1/user/${number + index}/feed`).then((response) => response.text())));
    await evaluate("poll()");
  }
  page.check("the page keeps 200 rows", (await evaluate("document.querySelectorAll('#log > li').length")) === 200);

  // Without a token, and without control

  await open(few.split("#")[0], { width: 800 });
  page.check("without a token, the page asks for it", await evaluate(`document.querySelector('#all').hidden && ${focused}.id === 'token'`));
  await page.shoot("token");
  await browser.send("Input.insertText", { text: token });
  await browser.press("Enter");
  page.check("with it, the page opens", await browser.until("!document.querySelector('#all').hidden"));
  await open(reading, { width: 800 });
  await evaluate("document.querySelector('#list summary').click(); true");
  await browser.until("document.querySelector('#list .choices')");
  page.check("with --no-control, nothing can be chosen", await evaluate("[...document.querySelectorAll('.choices button')].every((each) => each.disabled)"));
  page.check("which is said", await evaluate("document.querySelector('#state').textContent.includes('--no-control')"));

  // Hostile text

  await open(many, { width: 1280 });
  const hostile = await evaluate("[...rows.values()].filter((row) => row.endpoint.id.startsWith('hostile.')).map((row) => row.endpoint)");
  page.check("there are 500 hostile endpoints", hostile.length === 500, hostile.length);
  await evaluate("[...rows.values()].forEach((row) => { if (row.endpoint.id.startsWith('hostile.')) row.item.firstChild.open = true; })");
  page.check("all of them open", await browser.until("[...rows.values()].every((row) => !row.item.firstChild.open || row.curl?.textContent)"));
  const sent = await evaluate(`(async () => {
    let count = 0;
    for (const row of rows.values()) {
      if (!row.endpoint.id.startsWith("hostile.")) continue;
      row.send.click();
      for (let attempts = 0; attempts < 200 && !row.item.querySelector("[role=status] pre"); attempts += 1) await new Promise((later) => setTimeout(later, 10));
      if (row.item.querySelector("[role=status] pre")?.textContent.includes(row.endpoint.description)) count += 1;
    }
    return count;
  })()`);
  page.check("500 hostile bodies are shown as text", sent === 500, sent);
  const texts = await evaluate("[...rows.values()].filter((row) => row.endpoint.id.startsWith('hostile.') && row.item.textContent.includes(row.endpoint.description) && row.item.querySelector('.params').textContent.includes(row.endpoint.params[0].description)).length");
  page.check("500 hostile descriptions are shown as text", texts === 500, texts);
  const target = new URL(many).origin;
  for (let first = 0; first < 500; first += 40) {
    await Promise.all(hostile.slice(first, first + 40).map(({ description }) => fetch(`${target}/nowhere/${encodeURIComponent(description)}?q=${encodeURIComponent(description)}`, {
      method: "POST", body: description, headers: { "X-Hostile": encodeURI(description).replace(/%3C/g, "<").replace(/%3E/g, ">").replace(/%22/g, '"'), Accept: "text/html" },
    })));
    await evaluate("poll()");
    await evaluate("document.querySelectorAll('#log > li > details').forEach((each) => { each.open = true; })");
  }
  await browser.until("[...document.querySelectorAll('#log > li > details')].every((each) => each.querySelector('pre'))");
  const foreign = await evaluate("[...document.querySelectorAll('body *')].map((each) => each.localName).filter((name) => !['header','h1','h2','h3','p','div','button','noscript','form','label','input','code','main','section','ul','li','output','ol','details','summary','span','bdi','pre','select','option','textarea'].includes(name))");
  page.check("nothing of it became an element", foreign.length === 0, foreign.slice(0, 5));
  const attributes = await evaluate("[...document.querySelectorAll('*')].flatMap((each) => each.getAttributeNames()).filter((name) => /^on|^style$|^srcdoc$/.test(name))");
  page.check("nothing of it became a handler", attributes.length === 0, attributes);
  page.check("nothing of it ran", (await evaluate("window.hits")) === 0);
  page.check("it still fits", (await evaluate("document.documentElement.scrollWidth")) <= 1280, await evaluate("document.documentElement.scrollWidth"));
  await browser.send("Emulation.setDeviceMetricsOverride", { width: 360, height: 800, deviceScaleFactor: 1, mobile: true });
  page.check("on a phone, too", (await evaluate("document.documentElement.scrollWidth")) <= 360, await evaluate("document.documentElement.scrollWidth"));
  await evaluate("scrollTo(0, 3000); true");
  await page.shoot("hostile-360");
  page.checkQuiet([few, many, reading].map((link) => new URL(link).origin), {
    ignoring: (event) => event.method === "Log.entryAdded" && event.params.entry.source === "network",
  });

  // A miss in a browser

  await browser.open(`${target}/nowhere/${encodeURIComponent("<img src=x onerror=hit()>")}`, { width: 360 });
  page.check("a browser's miss links to the page", await evaluate("document.querySelector('a').pathname === '/__reqcli/page' && !document.querySelector('img')"));
  await page.shoot("miss");

  // Pages of other origins

  const control = { "user.feed": "empty" };
  const frame = `<iframe id="frame" src="${few}"></iframe><form id="form" method="post" enctype="text/plain" action="${origin}/__reqcli/stubs"><input name='{"user.feed":"empty","x":"' value='"}'></form>`;
  const others = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(`<title>other</title>${frame}`));
  await new Promise((done) => others.listen(0, "127.0.0.1", done));
  const outcome = (path, options) => `fetch(${quoted(origin + path)}, ${quoted(options)}).then((response) => response.type + response.status, () => "failed")`;
  const chosen = async () => (await (await fetch(`${origin}/__reqcli/`, { headers: { Authorization: `Bearer ${token}` } })).text()).includes('"chosen"');
  for (const url of [`http://localhost:${others.address().port}/`, `http://evil.example:${others.address().port}/`]) {
    await browser.open(url, { width: 800 });
    const name = new URL(url).hostname;
    const headers = { Authorization: `Bearer ${token}` };
    const found = [];
    for (const path of ["/__reqcli/", "/__reqcli/news", "/__reqcli/page", "/__reqcli/page.js", "/__reqcli/requests"]) {
      found.push(await evaluate(outcome(path, { headers })), await evaluate(outcome(path, {})));
    }
    for (const method of ["PUT", "POST"]) {
      found.push(await evaluate(outcome("/__reqcli/stubs", { method, headers, body: quoted(control) })));
      found.push(await evaluate(outcome("/__reqcli/stubs", { method, body: quoted(control), mode: method === "POST" ? "no-cors" : "cors" })));
    }
    page.check(`a page of ${name} reads nothing`, found.every((each) => each === "failed" || each === "opaque0"), found);
    const inside = await evaluate("(() => { try { return document.querySelector('#frame').contentDocument?.querySelector('#all') === undefined ? 'blocked' : 'open'; } catch { return 'blocked'; } })()");
    const frames = (await browser.send("Page.getFrameTree")).frameTree.childFrames?.map((each) => each.frame.url + (each.frame.unreachableUrl ?? ""));
    page.check(`a page of ${name} cannot frame the page`, inside === "blocked" && (frames ?? []).every((each) => each.startsWith("chrome-error:")), [inside, frames]);
    const opened = await evaluate(`(async () => {
      const other = window.open(${quoted(few)});
      await new Promise((later) => setTimeout(later, 1000));
      try { return other === null || other.closed ? "none" : String(other.document?.title ?? "none"); } catch (error) { return error.name; }
    })()`);
    page.check(`a page of ${name} holds no window of the page`, ["none", "SecurityError"].includes(opened), opened);
    await evaluate("document.querySelector('#form').submit(); true");
    page.check(`a form of ${name} is refused`, await browser.until("document.body?.textContent.includes('web pages must not use the control API')"), await evaluate("document.body?.textContent"));
  }
  for (const path of ["/__reqcli/page", "/__reqcli/page.js", "/__reqcli/", "/v1/user/1/feed"]) {
    await browser.open(`http://evil.example:${new URL(few).port}${path}`, { width: 800 });
    page.check(`another name for this machine gets nothing of ${path}`, (await evaluate("document.body.textContent")).includes("is not a name of this machine"), await evaluate("document.body.textContent"));
  }
  page.check("nothing was chosen", !(await chosen()));
  others.close();
}, { shots, options: ["--host-resolver-rules=MAP evil.example 127.0.0.1"] });
