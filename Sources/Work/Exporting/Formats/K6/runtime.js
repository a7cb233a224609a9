import { check } from "k6";
import encoding from "k6/encoding";
import exec from "k6/execution";
import http from "k6/http";

// Pace and shape are yours to add: https://grafana.com/docs/k6/latest/using-k6/k6-options/
export const options = {
  thresholds: { checks: ["rate>0.99"] },
};

// The requests. A text with values that are known only when it is sent is a list of strings and such values.
const plan = "PLAN";

const steps = new Map(plan.steps.map((step) => [step.id, step]));
const tasks = plan.steps.filter((step) => step.weight > 0);
const total = tasks.reduce((sum, step) => sum + step.weight, 0);

// Each iteration sends one of the requests that have a weight. The weights say how often.
export default function () {
  let rest = Math.random() * total;
  for (const step of tasks) {
    rest -= step.weight;
    if (rest < 0) return perform(step);
  }
}

// --- How requests are sent and responses checked ---

// The values that requests of this user captured, by the ids of the requests.
const captured = new Map();

function perform(step) {
  const needs = step.needs || [];
  for (const attempt of [1, 2]) {
    for (const need of needs) {
      if (!captured.has(need.step)) perform(steps.get(need.step));
      if (!captured.has(need.step)) return;
    }
    const url = fill(step.server || plan.host) + fill(step.path, inURL);
    const response = http.request(step.method, url, bodyOf(step), {
      headers: Object.fromEntries(step.headers.map(([name, value]) => [name, fill(value)])),
      redirects: step.redirects || 0,
      tags: { name: step.id },
      jar: new http.CookieJar(),
      responseCallback: http.expectedStatuses(...step.statuses.map(([min, max]) => ({ min, max }))),
    });
    const expired = needs.filter((need) => attempt === 1 && need.refresh.includes(response.status));
    if (expired.length > 0) {
      for (const need of expired) captured.delete(need.step);
      continue;
    }
    const checks = {
      [`${step.id}: status`]: () => step.statuses.some(([min, max]) => response.status >= min && response.status <= max),
    };
    for (const expected of step.checks || []) {
      checks[`${step.id}: ${expected.title}`] = () => holds(partOf(response, expected.part), expected);
    }
    const values = new Map();
    for (const { name, part } of step.captures || []) {
      const found = partOf(response, part);
      values.set(name, found[0]);
      checks[`${step.id}: captures ${name}`] = () => found.length > 0;
    }
    if (check(response, checks, { name: step.id })) captured.set(step.id, values);
    return;
  }
}

function variable({ env, default: value }) {
  if (__ENV[env]) return __ENV[env];
  if (value === undefined) exec.test.abort(`the environment variable ${env} is not set`);
  return value;
}

function valueOf(part) {
  if (part.env !== undefined) return variable(part);
  if (part.captured !== undefined) return captured.get(part.captured[0]).get(part.captured[1]);
  if (part.basic !== undefined) return "Basic " + encoding.b64encode(part.basic.map((text) => fill(text)).join(":"));
  switch (part.generated) {
    case "uuid":
      return uuid();
    case "timestamp":
      return Math.floor(Date.now() / 1000);
    case "isoTimestamp":
      return new Date().toISOString().slice(0, 19) + "Z";
    default:
      return Math.floor(Math.random() * 1000000000);
  }
}

// A text of the plan with its values.
function fill(parts, encode = text) {
  if (typeof parts === "string") return parts;
  const filled = parts.map((part) => {
    if (typeof part === "string") return part;
    return part.whole ? JSON.stringify(valueOf(part)) : encode(valueOf(part));
  });
  return filled.join("");
}

function bodyOf({ body }) {
  if (body === undefined) return null;
  if (body.base64 !== undefined) return encoding.b64decode(body.base64);
  if (body.json !== undefined) return fill(body.json, inJSON);
  return body.form !== undefined ? fill(body.form, inURL) : fill(body.text);
}

function text(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function inURL(value) {
  return encodeURIComponent(text(value)).replace(/[!'()*]/g, (mark) => "%" + mark.charCodeAt(0).toString(16).toUpperCase());
}

function inJSON(value) {
  return JSON.stringify(text(value)).slice(1, -1);
}

function uuid() {
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (mark) => {
    const digit = Math.floor(Math.random() * 16);
    return (mark === "x" ? digit : (digit & 3) | 8).toString(16);
  });
}

function has(object, name) {
  return Object.prototype.hasOwnProperty.call(object, name);
}

// The values at a path of names, indexes and null, which stands for each item.
function nodes(value, path) {
  let found = [value];
  for (const step of path) {
    found = found.flatMap((node) => {
      if (node === null || typeof node !== "object") return [];
      if (step === null) return Object.values(node);
      return (typeof step === "number") === Array.isArray(node) && has(node, step) ? [node[step]] : [];
    });
  }
  return found;
}

function equal(one, other) {
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return one === other;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => has(other, name) && equal(one[name], other[name]))
  );
}

function typeOf(value) {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function size(value) {
  return typeof value === "string" ? [...value].length : Object.keys(value).length;
}

const isNumber = (value) => typeof value === "number";
const isText = (value) => typeof value === "string";
const hasSize = (value) => isText(value) || (value !== null && typeof value === "object");

const operations = {
  equals: equal,
  type: (value, operand) => (operand === "integer" ? Number.isInteger(value) : typeOf(value) === operand),
  matches: (value, operand) => isText(value) && new RegExp(operand, "u").test(value),
  contains: (value, operand) =>
    isText(value) ? isText(operand) && value.includes(operand) : Array.isArray(value) && value.some((item) => equal(item, operand)),
  startsWith: (value, operand) => isText(value) && value.startsWith(operand),
  endsWith: (value, operand) => isText(value) && value.endsWith(operand),
  in: (value, operand) => operand.some((item) => equal(value, item)),
  empty: (value, operand) => hasSize(value) && (size(value) === 0) === operand,
  "<": (value, operand) => isNumber(value) && value < operand,
  "<=": (value, operand) => isNumber(value) && value <= operand,
  ">": (value, operand) => isNumber(value) && value > operand,
  ">=": (value, operand) => isNumber(value) && value >= operand,
  length: (value, operand) =>
    hasSize(value) &&
    (isNumber(operand)
      ? size(value) === operand
      : Object.entries(operand).every(([name, bound]) => operations[name](size(value), bound))),
};

function holds(found, { operator, operand, operandJSON, negated = false }) {
  const expected = operandJSON === undefined ? operand : JSON.parse(fill(operandJSON, inJSON));
  if (operator === "exists") return found.length > 0 === (expected !== negated);
  return found.length > 0 && found.every((value) => operations[operator](value, expected) !== negated);
}

// The values of a part of a response; empty if the part is missing.
function partOf(response, [kind, argument, pattern]) {
  switch (kind) {
    case "time":
      return [response.timings.duration];
    case "status":
      return [response.status];
    case "body":
      return [response.body || ""];
    case "cookie":
      return (response.cookies[argument] || []).slice(0, 1).map((cookie) => cookie.value);
    case "header": {
      const name = Object.keys(response.headers).find((name) => name.toLowerCase() === argument.toLowerCase());
      if (name === undefined) return [];
      if (pattern === undefined) return [response.headers[name]];
      return (response.headers[name].match(new RegExp(pattern, "u")) || []).slice(0, 1);
    }
    default:
      try {
        return nodes(JSON.parse(response.body), argument);
      } catch (error) {
        return [];
      }
  }
}
