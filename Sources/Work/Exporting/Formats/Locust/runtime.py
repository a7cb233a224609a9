import base64
import json
import os
import random
import re
import time
import uuid
from datetime import datetime, timezone
from urllib.parse import quote

from locust import FastHttpUser, tag
from locust.exception import StopUser

# The requests. A text with values that are known only when it is sent is a list of strings and such values.
PLAN = 'PLAN'

STEPS = {step['id']: step for step in PLAN['steps']}


# --- How requests are sent and responses checked ---

def text(value):
    return value if isinstance(value, str) else json_text(value)


def json_text(value):
    return json.dumps(value, ensure_ascii=False, separators=(',', ':'))


def in_url(value):
    return quote(text(value), safe='')


def in_json(value):
    return json_text(text(value))[1:-1]


GENERATED = {
    'uuid': lambda: str(uuid.uuid4()),
    'timestamp': lambda: int(time.time()),
    'isoTimestamp': lambda: datetime.now(timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ'),
    'randomInt': lambda: random.randint(0, 999999999),
}


def nodes(value, path):
    # The values at a path of names, indexes and None, which stands for each item.
    found = [value]
    for step in path:
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


def part_of(response, elapsed, part):
    # The values of a part of a response; empty if the part is missing.
    kind, argument, pattern = (part + [None, None])[:3]
    if kind == 'time':
        return [elapsed * 1000]
    if kind == 'status':
        return [response.status_code]
    if kind == 'body':
        return [response.text or '']
    if kind == 'json':
        try:
            return nodes(json.loads(response.text or ''), argument)
        except ValueError:
            return []
    if kind == 'header':
        value = response.headers.get(argument)
        if value is None or pattern is None:
            return [] if value is None else [value]
        match = re.search(pattern, value)
        return [match.group(0)] if match else []
    # One header is a string, several headers are a list. A comma is part of a value or of a date.
    cookies = response.headers.get('Set-Cookie') or []
    pairs = [cookie.split(';')[0].partition('=') for cookie in ([cookies] if isinstance(cookies, str) else cookies)]
    return [value.strip() for name, _, value in pairs if name.strip() == argument][:1]


def task_of(step):
    def run(user):
        user.perform(step)
    run.__name__ = step['id']
    return tag(*step['tags'])(run) if 'tags' in step else run


class WorkspaceUser(FastHttpUser):
    host = PLAN['host']
    insecure = False
    tasks = {task_of(step): step['weight'] for step in PLAN['steps'] if 'weight' in step}

    def on_start(self):
        # The values that requests of this user captured, by the ids of the requests.
        self.captured = {}
        for name in PLAN['variables']:
            if not os.environ.get(name):
                print('the environment variable ' + name + ' is not set')
                raise StopUser()

    def value(self, part):
        if 'env' in part:
            return os.environ.get(part['env'], part.get('default', ''))
        if 'captured' in part:
            step, name = part['captured']
            return self.captured[step][name]
        if 'basic' in part:
            account = ':'.join(self.fill(parts) for parts in part['basic'])
            return 'Basic ' + base64.b64encode(account.encode()).decode()
        return GENERATED[part['generated']]()

    def fill(self, parts, encode=text):
        # A text of the plan with its values.
        if isinstance(parts, str):
            return parts
        return ''.join(
            part if isinstance(part, str) else json_text(self.value(part)) if part.get('whole') else encode(self.value(part))
            for part in parts)

    def body(self, step):
        body = step.get('body')
        if body is None:
            return None
        if 'base64' in body:
            return base64.b64decode(body['base64'])
        for kind, encode in (('json', in_json), ('form', in_url), ('text', text)):
            if kind in body:
                return self.fill(body[kind], encode).encode()

    def holds(self, found, check):
        operator, negated = check['operator'], check.get('negated', False)
        operand = json.loads(self.fill(check['operandJSON'], in_json)) if 'operandJSON' in check else check['operand']
        if operator == 'exists':
            return (len(found) > 0) is (operand is not negated)
        return len(found) > 0 and all(OPERATIONS[operator](value, operand) is not negated for value in found)

    def result(self, step, response, elapsed):
        # Why a response isn't the expected one, and the values that it gives to other requests.
        status = response.status_code
        if not status:
            return str(getattr(response, 'error', None) or 'no response'), {}
        if not any(first <= status <= last for first, last in step['statuses']):
            return 'status ' + str(status), {}
        for check in step.get('checks', ()):
            if not self.holds(part_of(response, elapsed, check['part']), check):
                return check['title'], {}
        values = {}
        for capture in step.get('captures', ()):
            found = part_of(response, elapsed, capture['part'])
            if not found:
                return 'nothing to capture as ' + capture['name'], {}
            values[capture['name']] = found[0]
        return None, values

    def perform(self, step):
        needs = step.get('needs', ())
        for attempt in (1, 2):
            for need in needs:
                if need['step'] not in self.captured:
                    self.perform(STEPS[need['step']])
                if need['step'] not in self.captured:
                    return
            self.client.cookiejar.clear()
            url = self.fill(step.get('server', '')) + self.fill(step['path'], in_url)
            headers = {name: self.fill(value) for name, value in step['headers']}
            start = time.perf_counter()
            with self.client.request(
                    step['method'], url, name=step['id'], headers=headers, data=self.body(step),
                    allow_redirects='redirects' in step, catch_response=True) as response:
                elapsed = time.perf_counter() - start
                expired = [need for need in needs if attempt == 1 and response.status_code in need['refresh']]
                reason, values = self.result(step, response, elapsed)
                if reason is None or expired:
                    response.success()
                else:
                    response.failure(reason)
                if reason is None:
                    self.captured[step['id']] = values
            if not expired:
                return
            for need in expired:
                self.captured.pop(need['step'], None)
