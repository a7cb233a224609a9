/// The code that is the same in each exported script. The code sends requests and checks responses.
enum K6Runtime {
    static let imports = """

        import { check } from "k6";
        import encoding from "k6/encoding";
        import exec from "k6/execution";
        import http from "k6/http";

        """

    static let options = """

        // Pace and shape are yours to add: https://grafana.com/docs/k6/latest/using-k6/k6-options/
        export const options = {
          thresholds: { checks: ["rate>0.99"] },
        };


        """

    static let iteration = """

        const total = endpoints.reduce((sum, [weight]) => sum + weight, 0);

        export default function () {
          let rest = Math.random() * total;
          for (const [weight, call] of endpoints) {
            rest -= weight;
            if (rest < 0) return call();
          }
        }

        """

    static let functions = #"""
        // --- How requests are sent and responses checked ---

        function variable(name) {
          const value = __ENV[name];
          if (!value) exec.test.abort(`the environment variable ${name} is not set`);
          return value;
        }

        function secret(name) {
          return variable(secretVariables[name]);
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

        function basic(user, password) {
          return "Basic " + encoding.b64encode(user + ":" + password);
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
        function nodes(value, steps) {
          let found = [value];
          for (const step of steps) {
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

        function holds(found, operation, operand, isNegated) {
          if (operation === "exists") return found.length > 0 === (operand !== isNegated);
          return found.length > 0 && found.every((value) => operations[operation](value, operand) !== isNegated);
        }

        // The values of a part of a response; empty if the part is missing.
        function part(response, [kind, argument, pattern]) {
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

        // The values that requests of this user captured.
        const captured = {};

        function perform(name, endpoint) {
          for (const attempt of [1, 2]) {
            for (const [key, send] of endpoint.needs) {
              if (!(key in captured)) send();
              if (!(key in captured)) return;
            }
            const { method, url, headers, body, redirects } = endpoint.make();
            const response = http.request(method, url, body, {
              headers,
              redirects,
              tags: { name },
              jar: new http.CookieJar(),
              responseCallback: http.expectedStatuses(...endpoint.statuses.map(([min, max]) => ({ min, max }))),
            });
            const expired = endpoint.needs.filter(([, , statuses]) => attempt === 1 && statuses.includes(response.status));
            if (expired.length > 0) {
              for (const [key] of expired) delete captured[key];
              continue;
            }
            const checks = {
              [`${name}: status`]: () => endpoint.statuses.some(([min, max]) => response.status >= min && response.status <= max),
            };
            for (const [title, source, operation, operand, isNegated] of endpoint.checks()) {
              checks[`${name}: ${title}`] = () => holds(part(response, source), operation, operand, isNegated);
            }
            const values = {};
            for (const [capture, source] of Object.entries(endpoint.captures || {})) {
              const found = part(response, source);
              values[capture] = found[0];
              checks[`${name}: captures ${capture}`] = () => found.length > 0;
            }
            const isExpected = check(response, checks, { name });
            if (isExpected && endpoint.key !== undefined) captured[endpoint.key] = values;
            return;
          }
        }

        """#
}
