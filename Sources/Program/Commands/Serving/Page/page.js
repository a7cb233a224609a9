"use strict";

// The page of `reqcli serve`. All text from the server becomes text nodes, never HTML.

const root = "/__reqcli/";
const second = 1000;
const mostRows = 200;
const mostUnknown = 100;
const mostBytes = 64 * 1024;

const find = (selector, within = document) => within.querySelector(selector);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

// Text whose direction is that of its first letter, and which doesn't turn the text around it.
const own = (text, name) => make("bdi", { class: name }, text);

const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

// MARK: The control API

let token = "";
class TokenProblem extends Error {}

function readToken() {
  try { token = decodeURIComponent(location.hash.slice(1)); } catch { token = ""; }
}

async function call(method, path, value) {
  const options = { method, headers: { Authorization: `Bearer ${token}` }, cache: "no-store" };
  if (value) options.body = JSON.stringify(value);
  const response = await fetch(root + path, options);
  if (response.status === 401) throw new TokenProblem();
  const reply = response.status === 204 ? {} : await response.json();
  if (!response.ok) throw new Error([reply.title, ...(reply.problems ?? [])].join(": "));
  return reply;
}

// MARK: The state

function tell(text, isFailed = false) {
  const state = find("#state");
  if (state.textContent !== text) state.textContent = text;
  state.classList.toggle("failed", isFailed);
}

function askForToken() {
  clearTimeout(timer);
  find("#all").hidden = find("#views").hidden = true;
  find("#key").hidden = false;
  tell(token ? "The token is wrong, or the server was started again." : "The token is missing.", true);
  find("#token").focus();
}

// The server that gets the requests without a stub; undefined if there is none.
let proxying;
let timer, last = 0, changes = -1, isPaused = false, isReadOnly = false, turn = 0;
// Requests whose response is not known yet, because another server has to give it.
const pending = new Set();

async function poll() {
  clearTimeout(timer);
  const current = ++turn;
  let pause = second;
  try {
    if (!token) return askForToken();
    const from = Math.max(0, Math.min(last, ...[...pending].map((number) => number - 1)));
    const news = await call("GET", `news?after=${from}`);
    if (current !== turn) return;
    if (news.last < last) forgetRequests();
    isReadOnly = news.readOnly === true;
    if (news.changes !== changes) await showEndpoints(news.changes);
    if (current !== turn) return;
    showRequests(news.requests, news.last);
    showVerdict(news.verify);
    showRecording(news);
    find("#key").hidden = true;
    find("#all").hidden = find("#views").hidden = false;
    const parts = [counted(rows.size, "endpoint"), counted(news.last, "request")];
    if (isReadOnly) parts.push("choices are off, because of --no-control");
    if (isPaused) parts.push("paused");
    tell(parts.join(", "));
  } catch (error) {
    if (error instanceof TokenProblem) return askForToken();
    pause = 3 * second;
    tell(`The server does not answer (${error.message}). The page tries again.`, true);
  }
  // A hidden page asks for nothing.
  if (current === turn && !isPaused && !document.hidden) timer = setTimeout(poll, pause);
}

// MARK: Endpoints

// The elements and the data of each endpoint, by id.
const rows = new Map();

async function showEndpoints(number) {
  const overview = await call("GET", "");
  const list = find("#list");
  const before = new Map(rows);
  rows.clear();
  for (const endpoint of overview.endpoints) {
    const { chosen, calls, validCalls, ...fixed } = endpoint;
    const text = JSON.stringify(fixed) + isReadOnly;
    const old = before.get(endpoint.id);
    const row = old?.text === text ? old : makeRow(endpoint, text, old?.item.firstChild.open);
    rows.set(endpoint.id, row);
    row.chosen = chosen;
    markChosen(row);
  }
  // Elements that stay where they are keep the focus.
  const items = [...rows.values()].map((row) => row.item);
  if (items.length !== list.children.length || items.some((item, index) => list.children[index] !== item)) {
    list.replaceChildren(...items);
  }
  const problems = find("#problems");
  problems.replaceChildren(...overview.problems.map((problem) => make("li", {}, own(problem))));
  problems.hidden = overview.problems.length === 0;
  find("#clear").hidden = isReadOnly || !overview.endpoints.some((each) => each.chosen);
  changes = number;
  filter();
}

function makeRow(endpoint, text, isOpen = false) {
  const tag = make("span", { class: "chosen", hidden: true });
  const summary = make("summary", {}, make("span", { class: "mono" }, endpoint.method), " ", make("code", {}, endpoint.path),
    " ", own(endpoint.id, "id"), " ", tag);
  const details = make("details", {}, summary);
  const row = { endpoint, text, tag, summary, item: make("li", {}, details), buttons: [] };
  row.words = [endpoint.id, endpoint.method, endpoint.path, endpoint.description ?? ""].join(" ").toLowerCase();
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) fillRow(row, details);
  });
  details.open = isOpen;
  return row;
}

function fillRow(row, details) {
  const { endpoint } = row;
  const inside = make("div", { class: "inside" });
  if (endpoint.description) inside.append(make("p", { dir: "auto" }, endpoint.description));
  inside.append(variants(row), params(row));
  const curl = make("pre", { tabindex: 0, role: "group", "aria-label": `curl command of ${endpoint.id}`, dir: "ltr" });
  const copy = make("button", { type: "button" }, "Copy");
  const send = make("button", { type: "button" }, "Send");
  const result = make("div", { role: "status" });
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(curl.textContent);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(curl);
      copy.textContent = "Selected";
    }
    setTimeout(() => { copy.textContent = "Copy"; }, 2 * second);
  });
  send.addEventListener("click", () => tryRequest(row, result));
  inside.append(make("h3", {}, "Request"), curl, make("div", { class: "actions" }, send, copy), result);
  Object.assign(row, { curl, send, copy });
  details.append(inside);
  markChosen(row);
  return showExample(row);
}

function variants(row) {
  const { endpoint } = row;
  if (endpoint.variants.length === 0) return make("p", { class: "faint" }, "This endpoint has no stub variants.");
  row.buttons = endpoint.variants.map((name) => {
    const button = make("button", { type: "button", disabled: isReadOnly }, own(name));
    if (name === endpoint.default) button.append(" (default)");
    button.addEventListener("click", () => choose({ [endpoint.id]: row.chosen === name ? null : name }));
    return { name, button };
  });
  return make("div", { class: "choices", role: "group", "aria-label": `Variants of ${endpoint.id}` },
    ...row.buttons.map(({ button }) => button));
}

function markChosen(row) {
  row.tag.hidden = !row.chosen;
  row.tag.replaceChildren(own(row.chosen ?? ""));
  for (const { name, button } of row.buttons) button.setAttribute("aria-pressed", String(name === row.chosen));
}

async function choose(choices) {
  const said = find("#choice");
  try {
    await call("PUT", "stubs", choices);
    const [[id, name]] = Object.entries(choices);
    said.replaceChildren(...(id === "*" ? ["No variant is chosen any more."]
      : name ? [own(id), " responds with ", own(name), "."] : [own(id), " has no chosen variant any more."]));
  } catch (error) {
    if (error instanceof TokenProblem) return askForToken();
    said.replaceChildren(own(error.message));
  }
  poll();
}

const textOf = (value) => typeof value === "string" ? value : JSON.stringify(value);

// A value for a required param without an example.
function guess({ name, type, required, values }) {
  if (!required) return "";
  if (values) return textOf(values[0]);
  return { string: name, list: name, integer: "1", number: "1", json: "null" }[type] ?? "";
}

function params(row) {
  const { endpoint } = row;
  row.inputs = [];
  const group = make("div", { class: "params", role: "group", "aria-label": `Params of ${endpoint.id}` });
  for (const param of endpoint.params ?? []) {
    if (param.secret || param.type === "file") continue;
    const isList = param.type === "list";
    const start = param.example === undefined ? guess(param) : isList ? [param.example].flat().map(textOf).join("\n") : textOf(param.example);
    let input;
    if (param.values && !isList) {
      const texts = param.values.map(textOf);
      input = make("select", {}, ...["", ...texts].map((text) => make("option", { value: text }, text || "(none)")));
      input.value = texts.includes(start) ? start : "";
    } else if (isList || param.type === "json") {
      input = make("textarea", { rows: 2, spellcheck: "false", dir: "auto" });
      input.value = start;
    } else {
      input = make("input", { type: "text", autocomplete: "off", spellcheck: "false", dir: "auto" });
      input.value = start;
    }
    if (param.required) input.required = true;
    const hints = [isList ? "list, one item a line" : param.type, ...(param.required ? [] : ["optional"])];
    input.addEventListener("input", () => {
      clearTimeout(row.timer);
      row.timer = setTimeout(() => showExample(row), 300);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && input.tagName === "INPUT") row.send.click();
    });
    row.inputs.push({ name: param.name, isList, input });
    group.append(make("label", {}, own(param.name), " ", make("span", { class: "faint" }, `(${hints.join(", ")}) `),
      own(param.description ?? "", "faint"), input));
  }
  group.hidden = row.inputs.length === 0;
  return group;
}

async function showExample(row) {
  clearTimeout(row.timer);
  const values = row.inputs.filter(({ input }) => input.value !== "")
    .map(({ name, isList, input }) => [name, isList ? input.value.split("\n").filter(Boolean) : input.value]);
  const number = row.number = (row.number ?? 0) + 1;
  try {
    const example = await call("POST", "example", { endpoint: row.endpoint.id, params: Object.fromEntries(values) });
    if (number !== row.number) return;
    row.example = example;
    row.curl.textContent = example.curl;
  } catch (error) {
    if (error instanceof TokenProblem) return askForToken();
    if (number !== row.number) return;
    row.example = undefined;
    row.curl.textContent = error.message;
  }
  row.curl.classList.toggle("bad", !row.example);
  row.send.disabled = row.copy.disabled = !row.example;
}

async function tryRequest(row, result) {
  await showExample(row);
  const { example } = row;
  if (!example) return;
  const isSafe = ["GET", "HEAD", "OPTIONS"].includes(example.method);
  if (proxying && !isSafe && !confirm(`${proxying}. Send ${example.method} ${example.target}?`)) return;
  row.attempt?.abort();
  const attempt = row.attempt = new AbortController();
  const limit = setTimeout(() => attempt.abort(), 30 * second);
  const show = (text, isFailed, more) => result.replaceChildren(
    make("p", { class: isFailed ? "failed" : "passed", dir: "auto" }, text), ...(more ? [more] : []));
  const start = performance.now();
  show("Waiting for the response", false);
  try {
    if (!example.isWhole) throw new Error("the body is a file; use the curl command");
    if (example.body && ["GET", "HEAD"].includes(example.method)) {
      throw new Error(`a browser sends no body with ${example.method}; use the curl command`);
    }
    const response = await fetch(location.origin + example.target, {
      method: example.method, headers: example.headers, body: example.body, cache: "no-store", redirect: "manual",
      signal: attempt.signal,
    });
    if (response.type === "opaqueredirect") return show("A redirect, which a browser does not show; use the curl command.", false);
    const text = await readStart(response);
    const time = Math.round(performance.now() - start);
    const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    show(`${response.status}, ${response.headers.get("X-Reqcli-Stub") ?? "no variant"}, ${time} ms`, response.status >= 400,
      make("pre", { tabindex: 0, role: "group", "aria-label": `Response of ${row.endpoint.id}`, dir: "auto" },
        `${fields.join("\n")}\n\n${text}`));
  } catch (error) {
    if (attempt !== row.attempt) return;
    show(attempt.signal.aborted ? "No response within 30 seconds." : `No response: ${error.message}.`, true);
  } finally {
    clearTimeout(limit);
    poll();
  }
}

// The first bytes of a body as text.
async function readStart(response) {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let [text, count] = ["", 0];
  while (reader) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, mostBytes - count), { stream: true });
    count += value.length;
    if (count >= mostBytes) {
      reader.cancel();
      return `${text}\n… only the first ${mostBytes / 1024} KiB are shown`;
    }
  }
  return "";
}

function filter() {
  const words = find("#find").value.toLowerCase().split(" ").filter(Boolean);
  let shown = 0;
  for (const row of rows.values()) {
    row.item.hidden = !words.every((word) => row.words.includes(word));
    if (!row.item.hidden) shown += 1;
  }
  find("#found").textContent = words.length > 0 ? `${shown} of ${counted(rows.size, "endpoint")}` : "";
  oneStop(find("#list"));
}

// MARK: Requests

// Unknown requests by method and target.
const unknown = new Map();

function forgetRequests() {
  last = 0;
  changes = -1;
  pending.clear();
  unknown.clear();
  find("#log").replaceChildren();
  find("#unknown ul").replaceChildren();
}

function near(request) {
  return (request.near ?? []).map((each) => make("p", { class: "faint" }, "near: ", make("code", {}, each.request), " (",
    own(each.endpoint), "): ", own(each.difference)));
}

function showRequests(requests, number) {
  const log = find("#log");
  const first = requests[0]?.number ?? number + 1;
  if (first > last + 1) log.prepend(make("li", { class: "gap" }, `${counted(first - last - 1, "request is", "requests are")} not shown`));
  let isUnknown = false;
  for (const request of requests) {
    const isNew = request.number > last;
    if (!isNew && !pending.has(request.number)) continue;
    const isOpen = request.status === undefined && !request.stub && request.endpoint !== undefined;
    if (isOpen) pending.add(request.number); else pending.delete(request.number);
    const item = logItem(request);
    const old = isNew ? null : document.getElementById(item.id);
    if (old) { if (!isOpen) old.replaceWith(item); } else log.prepend(item);
    if (isNew && !request.endpoint && request.status >= 400) {
      const name = `${request.method} ${request.target}`;
      const count = (unknown.get(name)?.count ?? 0) + 1;
      unknown.delete(name);
      unknown.set(name, { request: request.near || !unknown.has(name) ? request : unknown.get(name).request, count });
      isUnknown = true;
    }
  }
  last = number;
  for (const each of pending) if (each < last - 50) pending.delete(each);
  while (log.children.length > mostRows) log.lastChild.remove();
  while (unknown.size > mostUnknown) unknown.delete(unknown.keys().next().value);
  find("#none").hidden = log.children.length > 0;
  if (isUnknown) {
    find("#unknown ul").replaceChildren(...[...unknown.values()].reverse().map(({ request, count }) => make("li", {},
      make("code", {}, `${request.method} ${request.target}`), count > 1 ? ` ${count} times` : "",
      make("p", {}, `${request.status}: `, own(request.reason ?? "")), ...near(request))));
  }
  find("#unknown").hidden = unknown.size === 0;
  oneStop(log);
}

function logItem(request) {
  const clock = new Date().toLocaleTimeString("en-GB");
  const isBad = request.status >= 400 || request.problems !== undefined;
  const summary = make("summary", {}, make("span", { class: "faint" }, clock), " ",
    make("span", { class: "mono" }, request.method), " ", make("code", {}, request.target), " ",
    make("span", { class: isBad ? "failed" : "passed" }, String(request.status ?? "---")), " ",
    own(request.stub ?? request.endpoint ?? request.reason ?? ""));
  if (request.problems) summary.append(" ", make("span", { class: "failed" }, counted(request.problems.length, "problem")));
  if (request.session !== "default") summary.append(make("span", { class: "faint" }, " session ", own(request.session)));
  const details = make("details", {}, summary);
  details.addEventListener("toggle", async () => {
    if (!details.open || details.children.length > 1) return;
    const inside = make("div", { class: "inside" }, ...(request.problems ?? []).map((each) => make("p", { class: "bad" }, own(each))));
    if (request.reason) inside.append(make("p", {}, own(request.reason)));
    inside.append(...near(request));
    details.append(inside);
    inside.append(make("pre", { tabindex: 0, role: "group", "aria-label": `Request ${request.number}`, dir: "auto" },
      await whole(request)));
  });
  return make("li", { id: `request-${request.number}` }, details);
}

async function whole({ number, session }) {
  try {
    const { requests: [entry] } = await call("GET", `requests?after=${number - 1}&count=1&session=${encodeURIComponent(session)}`);
    if (entry?.number !== number) return "The server does not keep this request any more.";
    const fields = (entry.headers ?? []).map(([name, value]) => `${name}: ${value}`);
    const body = entry.body === undefined ? "" : textOf(entry.body);
    return `${fields.join("\n")}${body && "\n\n"}${body}${entry.bodyIsCut ? "\n…" : ""}` || "No headers and no body.";
  } catch (error) {
    return error.message;
  }
}

function showVerdict({ asked, problems }) {
  const holds = problems.length === 0;
  const verdict = find("#verdict");
  const text = holds ? "All calls so far are as described" : counted(problems.length, "problem");
  verdict.textContent = asked ? `${text}: --verify would end with ${holds ? 0 : 1} now.` : text;
  verdict.className = holds ? "passed" : "failed";
  replaceTexts(find("#verify ul"), problems);
}

function showRecording({ proxying: target, recorded }) {
  proxying = target;
  find("#recording").hidden = !proxying;
  if (!proxying) return;
  find("#proxying").textContent = `${proxying}. ${recorded ? counted(recorded.count, "response is", "responses are") : "No responses are"} recorded.`;
  replaceTexts(find("#recording ul"), [...(recorded?.last ?? [])].reverse());
}

function replaceTexts(list, texts) {
  const text = JSON.stringify(texts);
  if (list.dataset.text === text) return;
  list.dataset.text = text;
  list.replaceChildren(...texts.map((each) => make("li", {}, own(each))));
}

// MARK: Keyboard

const summaries = (list) => [...list.querySelectorAll(":scope > li:not([hidden]) > details > summary")];

// A list of rows is one stop of the Tab key; the arrow keys go from row to row.
function oneStop(list) {
  const all = summaries(list);
  const stop = all.find((each) => each === list.current) ?? all[0];
  for (const each of all) each.tabIndex = each === stop ? 0 : -1;
}

for (const list of [find("#list"), find("#log")]) {
  list.addEventListener("focusin", ({ target }) => {
    if (target.tagName !== "SUMMARY") return;
    list.current = target;
    oneStop(list);
  });
  list.addEventListener("keydown", (event) => {
    if (event.target.tagName !== "SUMMARY" || event.ctrlKey || event.altKey || event.metaKey) return;
    const all = summaries(list);
    const place = all.indexOf(event.target);
    const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName)) return;
  if (event.ctrlKey || event.altKey || event.metaKey || find("#all").hidden) return;
  event.preventDefault();
  view("endpoints");
  find("#find").select();
});

function view(name) {
  document.body.dataset.view = name;
  for (const button of document.querySelectorAll("#views button")) {
    button.setAttribute("aria-pressed", String(button.dataset.view === name));
  }
}

for (const button of document.querySelectorAll("#views button")) {
  button.addEventListener("click", () => view(button.dataset.view));
}
find("#find").addEventListener("input", filter);
find("#clear").addEventListener("click", () => {
  find("#find").focus();
  choose({ "*": null });
});
find("#pause").addEventListener("click", ({ target }) => {
  isPaused = !isPaused;
  target.setAttribute("aria-pressed", String(isPaused));
  poll();
});
find("#key").addEventListener("submit", (event) => {
  event.preventDefault();
  token = find("#token").value;
  find("#token").value = "";
  poll();
});
addEventListener("hashchange", () => { readToken(); poll(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden && !isPaused) poll(); });
readToken();
poll();
