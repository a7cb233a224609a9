/// The code that is the same in each exported file. The code sends requests and checks responses.
enum LocustRuntime {
    static let imports = """
        import base64
        import json
        import os
        import random
        import re
        import time
        import uuid
        from datetime import datetime, timezone
        from urllib.parse import quote

        from locust import FastHttpUser, tag, task
        from locust.exception import StopUser

        """

    static let functions = """


        # --- How requests are sent and responses checked ---

        def text(value):
            return value if isinstance(value, str) else json_text(value)


        def json_text(value):
            return json.dumps(value, ensure_ascii=False, separators=(',', ':'))


        def in_url(value):
            return quote(text(value), safe='')


        def in_json(value):
            return json.dumps(text(value), ensure_ascii=False)[1:-1]


        def basic(user, password):
            return 'Basic ' + base64.b64encode((text(user) + ':' + text(password)).encode()).decode()


        def iso_timestamp():
            return datetime.now(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')


        MISSING = object()


        def nodes(value, steps):
            # The values at a path of names, indexes and None, which stands for each item.
            found = [value]
            for step in steps:
                following = []
                for node in found:
                    if step is None:
                        following += node if isinstance(node, list) else list(node.values()) if isinstance(node, dict) else []
                    elif isinstance(step, str) and isinstance(node, dict) and step in node:
                        following.append(node[step])
                    elif isinstance(step, int) and isinstance(node, list) and step < len(node):
                        following.append(node[step])
                found = following
            return found


        def is_number(value):
            return isinstance(value, (int, float)) and not isinstance(value, bool)


        def equal(one, other):
            if isinstance(one, bool) or isinstance(other, bool):
                return one is other
            if isinstance(one, dict) and isinstance(other, dict):
                return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
            if isinstance(one, list) and isinstance(other, list):
                return len(one) == len(other) and all(map(equal, one, other))
            return type(one) is type(other) and one == other or is_number(one) and is_number(other) and one == other


        TYPES = {
            'object': lambda value: isinstance(value, dict),
            'array': lambda value: isinstance(value, list),
            'string': lambda value: isinstance(value, str),
            'number': is_number,
            'integer': lambda value: is_number(value) and value == int(value),
            'boolean': lambda value: isinstance(value, bool),
            'null': lambda value: value is None,
        }

        OPERATIONS = {
            'equals': equal,
            'type': lambda value, operand: TYPES[operand](value),
            'matches': lambda value, operand: isinstance(value, str) and re.search(operand, value) is not None,
            'contains': lambda value, operand: (
                isinstance(value, str) and isinstance(operand, str) and operand in value
                or isinstance(value, list) and any(equal(item, operand) for item in value)),
            'startsWith': lambda value, operand: isinstance(value, str) and value.startswith(operand),
            'endsWith': lambda value, operand: isinstance(value, str) and value.endswith(operand),
            'in': lambda value, operand: any(equal(value, item) for item in operand),
            'empty': lambda value, operand: isinstance(value, (str, list, dict)) and (len(value) == 0) is operand,
            '<': lambda value, operand: is_number(value) and value < operand,
            '<=': lambda value, operand: is_number(value) and value <= operand,
            '>': lambda value, operand: is_number(value) and value > operand,
            '>=': lambda value, operand: is_number(value) and value >= operand,
            'length': lambda value, operand: isinstance(value, (str, list, dict)) and (
                all(OPERATIONS[name](len(value), bound) for name, bound in operand.items())
                if isinstance(operand, dict) else len(value) == operand),
        }


        def holds(found, operation, operand, negated):
            if operation == 'exists':
                return (len(found) > 0) is (operand is not negated)
            if not found:
                return False
            return all(OPERATIONS[operation](value, operand) is not negated for value in found)


        def complaint(response, elapsed, expect):
            # Why a response isn't the expected one; None if it is.
            status = response.status_code
            if not status:
                return str(getattr(response, 'error', None) or 'no response')
            if not any(first <= status <= last for first, last in expect.get('status', [(100, 399)])):
                return 'status ' + str(status)
            if elapsed > expect.get('max_time', elapsed):
                return 'took longer than ' + str(expect['max_time']) + ' s'
            for name, operation, operand, negated in expect.get('headers', ()):
                value = response.headers.get(name)
                if not holds([] if value is None else [value], operation, operand, negated):
                    return 'header ' + name + ' ' + operation
            for operation, operand, negated in expect.get('body', ()):
                if not holds([response.text or ''], operation, operand, negated):
                    return 'body ' + operation
            if expect.get('json'):
                try:
                    document = json.loads(response.text or '')
                except ValueError:
                    return 'the body is not JSON'
                for path, steps, operation, operand, negated in expect['json']:
                    if not holds(nodes(document, steps), operation, operand, negated):
                        return path + ' ' + operation
            return None


        def captured(response, source):
            # The value that a capture takes from a response; MISSING if there is none.
            kind, argument, pattern = source
            if kind == 'json':
                try:
                    found = nodes(json.loads(response.text or ''), argument)
                except ValueError:
                    return MISSING
                return found[0] if found else MISSING
            if kind == 'header':
                value = response.headers.get(argument)
                if value is not None and pattern is not None:
                    match = re.search(pattern, value)
                    value = match.group(0) if match else None
                return MISSING if value is None else value
            if kind == 'cookie':
                # One header is a string, several headers are a list. A comma is part of a value or of a date.
                cookies = response.headers.get('Set-Cookie') or []
                for cookie in [cookies] if isinstance(cookies, str) else cookies:
                    name, _, value = cookie.split(';')[0].partition('=')
                    if name.strip() == argument:
                        return value.strip()
                return MISSING
            return response.text if kind == 'body' else response.status_code


        class EndpointUser(FastHttpUser):
            abstract = True
            insecure = False
            secrets_from = {}

            def on_start(self):
                self.captures = {}
                self.secrets = {}
                for name, variable in self.secrets_from.items():
                    value = os.environ.get(variable)
                    if not value:
                        print('the secret ' + name + ' needs the environment variable ' + variable)
                        raise StopUser()
                    self.secrets[name] = value
                self.log_in()

            def log_in(self):
                pass

            def ready(self, needs):
                # Sends the needed requests that were not sent yet, or that failed.
                for key, send in needs:
                    if key not in self.captures:
                        send()
                return all(key in self.captures for key, send in needs)

            def perform(self, name, make, expect, capture=None, key=None, needs=(), refresh=()):
                if not self.ready(needs):
                    return
                for attempt in (1, 2):
                    method, url, headers, body, follows = make()
                    self.client.cookiejar.clear()
                    start = time.perf_counter()
                    with self.client.request(
                            method, url, name=name, headers=headers, data=body, allow_redirects=follows,
                            catch_response=True) as response:
                        elapsed = time.perf_counter() - start
                        expired = [] if attempt == 2 else [
                            need for statuses, need in refresh if response.status_code in statuses]
                        reason = complaint(response, elapsed, expect(self))
                        values = {name: captured(response, source) for name, source in (capture or {}).items()}
                        missing = [name for name, value in values.items() if value is MISSING]
                        if reason is None and missing:
                            reason = 'nothing to capture as ' + missing[0]
                        if reason is None or expired:
                            response.success()
                        else:
                            response.failure(reason)
                        if reason is None and key is not None:
                            self.captures[key] = values
                    if not expired:
                        return
                    for key_of_need, send in expired:
                        self.captures.pop(key_of_need, None)
                        send()

        """
}
