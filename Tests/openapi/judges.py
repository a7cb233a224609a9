"""The two judges of responses: reqcli and openapi-core."""

import base64
import json
import os
import subprocess
import tempfile
from pathlib import Path

from descriptions import HOST

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("REQCLI", str(ROOT / ".build" / "debug" / "reqcli"))
#: How errors of openapi-core begin if it finds no operation.
NO_OPERATION = ("PathNotFound", "OperationNotFound", "ServerNotFound")


def type_of(answer):
    return next((text for name, text in answer["headers"] if name.lower() == "content-type"), "")


def judged_by_reqcli(description, answers):
    """The failures of each answer, and the URL of its request; each pair is nil where the program gave no verdict."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        files = {"openapi.json": description, "environments/development.json": {"baseURL": HOST}}
        for number, answer in enumerate(answers):
            variant = {"status": answer["status"], "base64": base64.b64encode(answer["body"]).decode()}
            variant["headers"] = dict(answer["headers"])
            files[f"endpoints/a{number}.json"] = {
                "method": answer["method"],
                "path": answer["path"],
                "expect": {"openapi": "openapi.json"},
                "stubs": {"variants": {"standard": variant}},
            }
        for name, content in files.items():
            (place / name).parent.mkdir(exist_ok=True)
            (place / name).write_text(json.dumps(content))
        run = subprocess.run(
            [PROGRAM, "check", "--stub", "--report", "json=-", "-C", folder], capture_output=True, text=True
        )
    if run.returncode not in (0, 1):
        return None, run.stderr
    cases = {case["id"]: case for case in json.loads(run.stdout)["cases"]}
    return [cases.get(f"a{number}") for number in range(len(answers))], run.stderr


class Reference:
    """The verdicts of openapi-core on one description."""

    def __init__(self, description):
        from openapi_core import Config, OpenAPI

        # The description itself is not what is compared, and checking it takes long.
        self.api = OpenAPI.from_dict(description, config=Config(spec_validator_cls=None))

    def errors(self, answer, url):
        from openapi_core.testing import MockRequest, MockResponse

        headers = dict(answer["headers"])
        request = MockRequest(HOST, answer["method"], url.removeprefix(HOST))
        response = MockResponse(answer["body"], answer["status"], headers, type_of(answer))
        try:
            return [repr(error.__cause__ or error) for error in self.api.iter_response_errors(request, response)]
        except TypeError as error:
            # It looks up what a discriminator names in a dict, even if that is an object.
            return [repr(error)]
