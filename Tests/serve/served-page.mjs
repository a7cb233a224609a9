// Opens the page of `reqcli serve` in headless Chromium: its looks, the keyboard, hostile text, and pages of other origins.
//
//   node Tests/serve/served-page.mjs FEW MANY READING [FOLDER FOR SCREENSHOTS]
//
// The links to the pages of three servers: with five endpoints, with hundreds of which 500 have hostile text, and with --no-control.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Browser, leastContrast } from "../browser/browser.mjs";

const [few, many, reading, shots] = process.argv.slice(2);
const [origin, token] = [new URL(few).origin, new URL(few).hash.slice(1)];

async function shoot(name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  const { data } = await browser.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: false });
  writeFileSync(join(shots, `${name}.png`), Buffer.from(data, "base64"));
}

let failures = 0;
function check(name, holds, found) {
  console.log(`${holds ? "ok" : "not ok"} - ${name}${holds ? "" : `: found ${JSON.stringify(found)}`}`);
  if (!holds) failures += 1;
}

// Waits until a condition is met, for at most 10 seconds.
async function until(condition) {
  for (let attempts = 0; attempts < 200; attempts += 1) {
    if (await browser.evaluate(condition)) return true;
    await new Promise((later) => setTimeout(later, 50));
  }
  return false;
}

const evaluate = (expression) => browser.evaluate(expression);
const quoted = JSON.stringify;
const focused = "document.activeElement";

async function open(link, options) {
  // The fragment alone would not load the page again.
  await browser.send("Page.navigate", { url: "about:blank" });
  await until("location.href === 'about:blank'");
  await browser.open(link, options);
  await until("!document.querySelector('#all').hidden || !document.querySelector('#key').hidden");
}

async function tabTo(condition, most = 60) {
  for (let steps = 0; steps < most; steps += 1) {
    await browser.press("Tab");
    if (await evaluate(condition)) return true;
  }
  return false;
}

const profile = mkdtempSync(join(tmpdir(), "page-browser-"));
const browser = await Browser.start(profile, ["--host-resolver-rules=MAP evil.example 127.0.0.1"]);
let others;
try {
  for (const domain of ["Page", "Runtime", "Log", "Network", "Accessibility"]) await browser.send(`${domain}.enable`);
  await browser.send("Page.addScriptToEvaluateOnNewDocument", { source: "window.hits = 0; window.hit = () => { window.hits += 1; };" });

  // Looks

  for (let number = 0; number < 3; number += 1) await fetch(`${origin}/v1/user/${number}/feed`);
  await fetch(`${origin}/v1/users/7/feed`);
  await fetch(`${origin}/v1/user`, { method: "POST", body: '{"name": 7}', headers: { "Content-Type": "application/json" } });
  for (const [name, link] of [["few", few], ["many", many]]) {
    for (const width of [360, 800, 1280]) {
      for (const scheme of ["light", "dark"]) {
        await open(link, { width, scheme });
        await evaluate("document.querySelector('#list summary').click(); true");
        await until("document.querySelector('#list pre')?.textContent.length > 0");
        await shoot(`${name}-${width}-${scheme}`);
        const found = [];
        for (const view of ["endpoints", "requests"]) {
          await evaluate(`view('${view}')`);
          if (width < 960 && view === "requests") await shoot(`${name}-${width}-${scheme}-requests`);
          found.push(await evaluate("document.documentElement.scrollWidth"), ...(await evaluate(leastContrast)));
        }
        check(`${name}: it fits into ${width} pixels in ${scheme}, and its text has contrast`,
          found[0] <= width && found[3] <= width && found[1] >= 4.5 && found[4] >= 4.5, found);
      }
    }
  }
  check("many endpoints are listed", (await evaluate("document.querySelectorAll('#list > li').length")) >= 800);

  // Names

  await open(few, { width: 1280 });
  await evaluate("document.querySelectorAll('#list summary').forEach((each) => each.click())");
  await until("[...document.querySelectorAll('#list pre')].every((each) => each.textContent)");
  const { nodes } = await browser.send("Accessibility.getFullAXTree");
  const nameless = nodes.filter((node) => !node.ignored && !node.name?.value
    && node.properties?.some(({ name, value }) => name === "focusable" && value.value)
    && !["RootWebArea", "option", "MenuListPopup"].includes(node.role?.value)).map((node) => node.role.value);
  check("everything that takes the focus has a name", nameless.length === 0, nameless);
  check("no element jumps the order of the focus", (await evaluate("document.querySelectorAll('[tabindex]:not([tabindex=\"0\"]):not([tabindex=\"-1\"])').length")) === 0);
  check("headings are in order", await evaluate("[...document.querySelectorAll('h1, h2, h3')].every((each, index, all) => Number(each.tagName[1]) - Number(all[index - 1]?.tagName[1] ?? 0) <= 1)"));
  await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value: "reduce" }] });
  check("nothing moves", (await evaluate("document.getAnimations().length + [...document.querySelectorAll('*')].filter((each) => parseFloat(getComputedStyle(each).transitionDuration) > 0).length")) === 0);

  // The keyboard

  await open(few, { width: 1280 });
  await browser.press("/", "Slash");
  check("/ focuses the search", await evaluate(`${focused}.id === 'find' && ${focused}.value === ''`));
  await browser.send("Input.insertText", { text: "feed" });
  check("the search finds", (await evaluate("document.querySelectorAll('#list > li:not([hidden])').length")) === 1);
  check("Tab reaches the endpoint", await tabTo(`${focused}.tagName === 'SUMMARY'`));
  await browser.press("Enter");
  check("Enter opens it", await until("document.querySelector('#list details[open] pre')?.textContent.length > 0"));
  const button = (name) => `[...document.querySelectorAll('#list details[open] .choices button')].find((each) => each.textContent === ${quoted(name)})`;
  check("Tab reaches a variant", await tabTo(`${focused} === ${button("empty")}`));
  await browser.press(" ", "Space");
  check("Space chooses it", await until(`${button("empty")}.getAttribute('aria-pressed') === 'true'`));
  check("the focus stays", await evaluate(`${focused} === ${button("empty")}`));
  check("it is said", await until("document.querySelector('#choice').textContent === 'user.feed responds with empty.'"));
  check("the mock responds with it", (await (await fetch(`${origin}/v1/user/1/feed`)).text()) === "[]");
  check("Tab reaches a param", await tabTo(`${focused}.tagName === 'INPUT' && ${focused}.closest('.params')`));
  await evaluate(`${focused}.select()`);
  await browser.send("Input.insertText", { text: "many" });
  const curl = "document.querySelector('#list details[open] pre')";
  check("a wrong param is reported", await until(`${curl}.textContent.includes('takes a whole number')`), await evaluate(`${curl}.textContent`));
  await shoot("wrong-param");
  await evaluate(`${focused}.select()`);
  await browser.send("Input.insertText", { text: "4711" });
  check("the curl command has the param", await until(`${curl}.textContent.startsWith('curl ') && ${curl}.textContent.includes('${origin}/v1/user/4711/feed')`), await evaluate(`${curl}.textContent`));
  check("Tab reaches Send", await tabTo(`${focused}.textContent === 'Send'`));
  await browser.press("Enter");
  const result = "document.querySelector('#list details[open] [role=status]')";
  check("Enter sends, and the response is shown", await until(`/^200, user.feed=empty, \\d+ ms/.test(${result}.textContent)`), await evaluate(`${result}.textContent`));
  check("the log shows the request", await until("document.querySelector('#log > li')?.textContent.includes('/v1/user/4711/feed')"));
  check("Tab reaches the log", await tabTo(`${focused}.closest('#log')`));
  await browser.press("End");
  await browser.press("Home");
  await browser.press("ArrowDown");
  check("arrows go through the log", await evaluate(`${focused} === document.querySelectorAll('#log summary')[1]`));
  await browser.press("Enter");
  check("Enter shows headers and body", await until("document.querySelector('#log details[open] pre')?.textContent.length > 0"));
  await evaluate("document.querySelector('#clear').focus(); true");
  await browser.press("Enter");
  check("all choices are undone", await until(`document.querySelector('#clear').hidden && ${focused}.id === 'find'`));
  await shoot("used");

  // The log

  const unknown = await evaluate("document.querySelector('#unknown ul').textContent");
  check("unknown requests are listed with what was nearest", unknown.includes("GET /v1/users/7/feed") && unknown.includes("GET /v1/user/{{id}}/feed"), unknown);
  const verdict = await evaluate("document.querySelector('#verify').textContent");
  check("the verification shows the problems", verdict.includes("--verify would end with 1 now") && verdict.includes("GET /v1/users/7/feed"), verdict);
  await evaluate("document.querySelector('#pause').click(); true");
  await until("document.querySelector('#state').textContent.includes('paused')");
  await fetch(`${origin}/v1/user/815/feed`);
  await new Promise((later) => setTimeout(later, 1500));
  check("Pause pauses", !(await evaluate("document.querySelector('#log').textContent.includes('/815/')")));
  await evaluate("document.querySelector('#pause').click(); true");
  check("and continues", await until("document.querySelector('#log').textContent.includes('/815/')"));
  for (let number = 0; number < 3000; number += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => fetch(`${origin}/v1/user/${number + index}/feed`).then((response) => response.text())));
    await evaluate("poll()");
  }
  check("the page keeps 200 rows", (await evaluate("document.querySelectorAll('#log > li').length")) === 200);

  // Without a token, and without control

  await open(few.split("#")[0], { width: 800 });
  check("without a token, the page asks for it", await evaluate(`document.querySelector('#all').hidden && ${focused}.id === 'token'`));
  await shoot("token");
  await browser.send("Input.insertText", { text: token });
  await browser.press("Enter");
  check("with it, the page opens", await until("!document.querySelector('#all').hidden"));
  await open(reading, { width: 800 });
  await evaluate("document.querySelector('#list summary').click(); true");
  await until("document.querySelector('#list .choices')");
  check("with --no-control, nothing can be chosen", await evaluate("[...document.querySelectorAll('.choices button')].every((each) => each.disabled)"));
  check("which is said", await evaluate("document.querySelector('#state').textContent.includes('--no-control')"));

  // Hostile text

  await open(many, { width: 1280 });
  const hostile = await evaluate("[...rows.values()].filter((row) => row.endpoint.id.startsWith('hostile.')).map((row) => row.endpoint)");
  check("there are 500 hostile endpoints", hostile.length === 500, hostile.length);
  await evaluate("[...rows.values()].forEach((row) => { if (row.endpoint.id.startsWith('hostile.')) row.item.firstChild.open = true; })");
  check("all of them open", await until("[...rows.values()].every((row) => !row.item.firstChild.open || row.curl?.textContent)"));
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
  check("500 hostile bodies are shown as text", sent === 500, sent);
  const texts = await evaluate("[...rows.values()].filter((row) => row.endpoint.id.startsWith('hostile.') && row.item.textContent.includes(row.endpoint.description) && row.item.querySelector('.params').textContent.includes(row.endpoint.params[0].description)).length");
  check("500 hostile descriptions are shown as text", texts === 500, texts);
  const target = new URL(many).origin;
  for (let first = 0; first < 500; first += 40) {
    await Promise.all(hostile.slice(first, first + 40).map(({ description }) => fetch(`${target}/nowhere/${encodeURIComponent(description)}?q=${encodeURIComponent(description)}`, {
      method: "POST", body: description, headers: { "X-Hostile": encodeURI(description).replace(/%3C/g, "<").replace(/%3E/g, ">").replace(/%22/g, '"'), Accept: "text/html" },
    })));
    await evaluate("poll()");
    await evaluate("document.querySelectorAll('#log > li > details').forEach((each) => { each.open = true; })");
  }
  await until("[...document.querySelectorAll('#log > li > details')].every((each) => each.querySelector('pre'))");
  const foreign = await evaluate("[...document.querySelectorAll('body *')].map((each) => each.localName).filter((name) => !['header','h1','h2','h3','p','div','button','noscript','form','label','input','code','main','section','ul','li','output','ol','details','summary','span','bdi','pre','select','option','textarea'].includes(name))");
  check("nothing of it became an element", foreign.length === 0, foreign.slice(0, 5));
  const attributes = await evaluate("[...document.querySelectorAll('*')].flatMap((each) => each.getAttributeNames()).filter((name) => /^on|^style$|^srcdoc$/.test(name))");
  check("nothing of it became a handler", attributes.length === 0, attributes);
  check("nothing of it ran", (await evaluate("window.hits")) === 0);
  check("it still fits", (await evaluate("document.documentElement.scrollWidth")) <= 1280, await evaluate("document.documentElement.scrollWidth"));
  await browser.send("Emulation.setDeviceMetricsOverride", { width: 360, height: 800, deviceScaleFactor: 1, mobile: true });
  check("on a phone, too", (await evaluate("document.documentElement.scrollWidth")) <= 360, await evaluate("document.documentElement.scrollWidth"));
  await evaluate("scrollTo(0, 3000); true");
  await shoot("hostile-360");
  const messages = browser.events.filter((event) => ["Runtime.consoleAPICalled", "Runtime.exceptionThrown"].includes(event.method)
    || (event.method === "Log.entryAdded" && event.params.entry.source !== "network"));
  check("the console stays empty", messages.length === 0, messages.slice(0, 3).map((event) => event.params));
  const loaded = browser.events.filter((event) => event.method === "Network.requestWillBeSent").map((event) => event.params.request.url)
    .filter((each) => ![few, many, reading].some((link) => each.startsWith(new URL(link).origin)) && !/^(data|about):/.test(each));
  check("nothing is loaded from elsewhere", loaded.length === 0, loaded.slice(0, 3));

  // A miss in a browser

  await browser.open(`${target}/nowhere/${encodeURIComponent("<img src=x onerror=hit()>")}`, { width: 360 });
  check("a browser's miss links to the page", await evaluate("document.querySelector('a').pathname === '/__reqcli/page' && !document.querySelector('img')"));
  await shoot("miss");

  // Pages of other origins

  const control = { "user.feed": "empty" };
  const frame = `<iframe id="frame" src="${few}"></iframe><form id="form" method="post" enctype="text/plain" action="${origin}/__reqcli/stubs"><input name='{"user.feed":"empty","x":"' value='"}'></form>`;
  others = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(`<title>other</title>${frame}`));
  await new Promise((done) => others.listen(0, "127.0.0.1", done));
  const outcome = (path, options) => `fetch(${quoted(origin + path)}, ${quoted(options)}).then((response) => response.type + response.status, () => "failed")`;
  const chosen = async () => (await (await fetch(`${origin}/__reqcli/`, { headers: { Authorization: `Bearer ${token}` } })).text()).includes('"chosen"');
  for (const page of [`http://localhost:${others.address().port}/`, `http://evil.example:${others.address().port}/`]) {
    await browser.open(page, { width: 800 });
    const name = new URL(page).hostname;
    const headers = { Authorization: `Bearer ${token}` };
    const found = [];
    for (const path of ["/__reqcli/", "/__reqcli/news", "/__reqcli/page", "/__reqcli/page.js", "/__reqcli/requests"]) {
      found.push(await evaluate(outcome(path, { headers })), await evaluate(outcome(path, {})));
    }
    for (const method of ["PUT", "POST"]) {
      found.push(await evaluate(outcome("/__reqcli/stubs", { method, headers, body: quoted(control) })));
      found.push(await evaluate(outcome("/__reqcli/stubs", { method, body: quoted(control), mode: method === "POST" ? "no-cors" : "cors" })));
    }
    check(`a page of ${name} reads nothing`, found.every((each) => each === "failed" || each === "opaque0"), found);
    const inside = await evaluate("(() => { try { return document.querySelector('#frame').contentDocument?.querySelector('#all') === undefined ? 'blocked' : 'open'; } catch { return 'blocked'; } })()");
    const frames = (await browser.send("Page.getFrameTree")).frameTree.childFrames?.map((each) => each.frame.url + (each.frame.unreachableUrl ?? ""));
    check(`a page of ${name} cannot frame the page`, inside === "blocked" && (frames ?? []).every((each) => each.startsWith("chrome-error:")), [inside, frames]);
    const opened = await evaluate(`(async () => {
      const other = window.open(${quoted(few)});
      await new Promise((later) => setTimeout(later, 1000));
      try { return other === null || other.closed ? "none" : String(other.document?.title ?? "none"); } catch (error) { return error.name; }
    })()`);
    check(`a page of ${name} holds no window of the page`, ["none", "SecurityError"].includes(opened), opened);
    await evaluate("document.querySelector('#form').submit(); true");
    check(`a form of ${name} is refused`, await until("document.body?.textContent.includes('web pages must not use the control API')"), await evaluate("document.body?.textContent"));
  }
  for (const path of ["/__reqcli/page", "/__reqcli/page.js", "/__reqcli/", "/v1/user/1/feed"]) {
    await browser.open(`http://evil.example:${new URL(few).port}${path}`, { width: 800 });
    check(`another name for this machine gets nothing of ${path}`, (await evaluate("document.body.textContent")).includes("is not a name of this machine"), await evaluate("document.body.textContent"));
  }
  check("nothing was chosen", !(await chosen()));
} finally {
  others?.close();
  await browser.close(profile);
}
process.exit(failures === 0 ? 0 : 1);
