"""What is measured: one function for each row of the table."""

from dataclasses import dataclass
from typing import Callable

from measuring import Pair
from scene import MEBIBYTE, endpoint_paths
from serving import Beside, Served, Started, beside_many, by_cpu, file_time, idle_memory, rate, start_time

#: Pairs of short runs and of long ones.
MANY, SOME, FEW = 60, 15, 5


@dataclass(frozen=True)
class Limit:
    """What a row promises. Either our time is at most so many times the other's, or our speed is at least so many.

    Or the figure itself has a limit, in seconds or in the row's own unit."""

    time_at_most: float | None = None
    speed_at_least: float | None = None
    megabytes: int | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class Row:
    name: str
    title: str
    beside: str
    limit: Limit
    pair: Callable
    #: Rows that `--only` names together.
    group: str | None = None
    #: What the figures are, if not times.
    unit: str | None = None


ROWS = []


def row(name, title, beside, group=None, unit=None, **limit):
    def add(function):
        ROWS.append(Row(name, title, beside, Limit(**limit), function, group, unit))
        return function

    return add


# Start-up: in this repository's own workspace.


@row("render", "a dry run", "curl --version", time_at_most=0.33, megabytes=20)
def render(scene):
    return Pair(scene.reqcli("render", "ping"), scene.tool("curl", "--version"), MANY)


@row("list", "the list of endpoints", "curl --version", time_at_most=0.33)
def list_endpoints(scene):
    return Pair(scene.reqcli("list"), scene.tool("curl", "--version"), MANY)


@row("help", "the help page", "curl --version", time_at_most=0.22)
def help_page(scene):
    return Pair(scene.reqcli("help"), scene.tool("curl", "--version"), MANY)


@row("version", "--version", "curl --version", time_at_most=0.5)
def version(scene):
    return Pair(scene.reqcli("--version"), scene.tool("curl", "--version"), MANY)


# One request, as a whole process.


@row("send", "a small GET", "curl", time_at_most=1.2, megabytes=22)
def send(scene):
    return Pair(_send_one(scene), scene.tool("curl", "-sS", f"{scene.base}/small.json"), MANY)


@row("send-httpie", "a small GET", "HTTPie", time_at_most=0.1)
def send_beside_httpie(scene):
    return Pair(_send_one(scene), scene.tool("http", "--ignore-stdin", f"{scene.base}/small.json"), SOME)


# Many requests.


@row("requests", "10,000 requests by the library, 16 in flight", "curl --parallel", speed_at_least=1.3)
def requests(scene):
    return Pair(
        scene.library("requests", f"{scene.base}/small.json", 10_000, 16),
        _curl_parallel(scene, ["/small.json"] * 10_000), FEW)


@row("check-10", "check: each of 10 cases", "curl --parallel")
def check_10(scene):
    return _check_beside_curl(scene, 10, MANY)


@row("check-100", "check: each of 100 cases", "curl --parallel")
def check_100(scene):
    return _check_beside_curl(scene, 100, MANY)


@row("check-1000", "check: each of 1,000 cases", "curl --parallel", speed_at_least=0.6, megabytes=36)
def check_1000(scene):
    return _check_beside_curl(scene, 1000, MANY)


@row("check-growth", "check: each of 1,000 cases", "each of 100", time_at_most=1.1)
def check_growth(scene):
    return Pair(_check(scene, 1000), _check(scene, 100), MANY)


@row("check-100000", "check: each of 100,000 cases with a body", "each of 1,000", time_at_most=1.1, megabytes=200)
def check_100000(scene):
    return Pair(_check_table(scene, 100_000), _check_table(scene, 1000), FEW)


@row("check-2000-auto", "check --jobs auto: 2,000 responses after 50 ms", "curl --parallel-max 200", speed_at_least=0.8)
def check_2000_auto(scene):
    def pair(server):
        base = f"http://127.0.0.1:{server.port}"
        urls = scene.url_list([f"/slow/{number}" for number in range(1, 2001)], base)
        return Pair(
            scene.reqcli(
                "check", "--jobs", "auto", "--base-url", base, "--data", "rows.csv", folder=scene.slow_workspace, count=2000),
            scene.tool("curl", "-sS", "--parallel", "--parallel-max", "200", "-K", urls, count=2000), FEW)

    return Beside(scene.serving_slowly, pair, scene.launcher)


@row("load-10000", "load: processor time of a request, with 10,000 in flight", "with 16", time_at_most=1.3)
def load_10000(scene):
    def pair(server):
        def load(name):
            return scene.reqcli(
                "load", name, "--rate", "2500/s", "--for", "10s", "--base-url", f"http://127.0.0.1:{server.port}",
                folder=scene.waiting_workspace, count=25_000)

        return Pair(load("later"), load("soon"), FEW, by_cpu=True)

    return Beside(scene.serving_late, pair, scene.launcher)


@row("check-schema", "check: each of 1,000 cases with one schema of 2,000 lines", "each of 1,000 without", time_at_most=1.1)
def check_schema(scene):
    with_schema = scene.sending("check", "--jobs", 16, folder=scene.workspace_with_schema(1000), count=1000)
    return Pair(with_schema, _check(scene, 1000), MANY)


@row("check-scenarios", "check: 1,000 cases and 100 scenarios of 5 steps", "the same requests as cases", time_at_most=1.1)
def check_scenarios(scene):
    return Pair(
        scene.sending("check", "--jobs", 16, folder=scene.workspace_with_scenarios(1000, 100), count=1500),
        scene.sending("check", "--jobs", 16, folder=scene.workspace_with_checks(1000, 100), count=1500), MANY)


# 1 GiB.


@row("download-file", "1 GiB into a file", "curl", speed_at_least=1, megabytes=48)
def download_file(scene):
    saved = scene.folder / "saved"
    return Pair(
        scene.sending("send", "large", "-o", saved, folder=scene.files_workspace, leaves=saved),
        scene.tool("curl", "-sS", "-o", saved, f"{scene.base}/large", leaves=saved), FEW)


@row("download-pipe", "1 GiB into a pipe", "curl", speed_at_least=1, megabytes=48)
def download_pipe(scene):
    return Pair(
        scene.sending("send", "large", folder=scene.files_workspace, output="pipe"),
        scene.tool("curl", "-sS", f"{scene.base}/large", output="pipe"), FEW)


@row("upload-file", "1 GiB up from a file", "curl", speed_at_least=1, megabytes=48)
def upload_file(scene):
    return Pair(
        scene.sending("send", "upload", "--trust", folder=scene.files_workspace),
        scene.tool("curl", "-sS", "-H", "Expect:", "-T", scene.large_file, f"{scene.base}/upload"), FEW)


# A workspace of 10,000 endpoints.


@row("list-10000", "the list of 10,000 endpoints", "jq, their names")
def list_10000(scene):
    folder = scene.workspace_of(10_000)
    return Pair(scene.reqcli("list", folder=folder), _jq_over(scene, folder, "-r", ".endpoints | keys[]"), FEW)


@row("list-growth", "list: each of 10,000 endpoints", "each of 1,000", time_at_most=1.5)
def list_growth(scene):
    return Pair(_over(scene, 10_000, "list"), _over(scene, 1000, "list"), FEW)


@row("validate-10000", "10,000 endpoints validated", "jq, their syntax alone", time_at_most=1.5)
def validate_10000(scene):
    folder = scene.workspace_of(10_000)
    return Pair(scene.reqcli("validate", folder=folder), _jq_over(scene, folder, "empty"), FEW)


@row("validate-growth", "validate: each of 10,000 endpoints", "each of 1,000", time_at_most=1.5)
def validate_growth(scene):
    return Pair(_over(scene, 10_000, "validate"), _over(scene, 1000, "validate"), FEW)


@row("send-10000", "send one of 10,000 endpoints", "in a workspace of one", time_at_most=1.05)
def send_of_10000(scene):
    return Pair(
        scene.sending("send", "alone", folder=scene.workspace_of(10_000)),
        scene.sending("send", "alone", folder=scene.workspace_of(1)), 2 * MANY)


@row("send-sibling", "send one of a file of 20 endpoints", "of a file of one")
def send_of_20(scene):
    folder = scene.workspace_of(10_000)
    return Pair(
        scene.sending("send", "group1.endpoint0", folder=folder), scene.sending("send", "alone", folder=folder), MANY)


# 100 MB of JSON.


@row("pretty", "100 MB of JSON fetched and indented", "jq . of the file", speed_at_least=2, megabytes=48)
def pretty(scene):
    return Pair(
        scene.sending("send", "document", "--pretty", folder=scene.files_workspace),
        scene.tool("jq", ".", scene.document), FEW)


@row("select", "100 MB of JSON fetched and selected from", "jq of the file", speed_at_least=1, megabytes=48)
def select(scene):
    return Pair(
        scene.sending("send", "document", "--select", "$.items[*].id", folder=scene.files_workspace),
        scene.tool("jq", ".items[].id", scene.document), FEW)


# The server of stubs.


def serve_row(name, title, beside, **limit):
    return row(f"serve-{name}", title, beside, group="serve", **limit)


@serve_row("1", "serve: a request at 1 connection", "nginx", speed_at_least=0.9, megabytes=25)
def serve_1(scene):
    return _serve_beside_nginx(scene, rate(scene.path("wrk"), 1))


@serve_row("16", "serve: a request at 16 connections", "nginx", speed_at_least=1.0, megabytes=25)
def serve_16(scene):
    return _serve_beside_nginx(scene, rate(scene.path("wrk"), 16))


@serve_row("256", "serve: a request at 256 connections", "nginx", speed_at_least=1.0, megabytes=25)
def serve_256(scene):
    return _serve_beside_nginx(scene, rate(scene.path("wrk"), 256))


@serve_row("log", "serve: a request at 16 connections with a log into a file", "without", speed_at_least=0.8)
def serve_log(scene):
    return Served(
        scene.serving(10, log=scene.folder / "log"), scene.serving(10), rate(scene.path("wrk"), 16))


@serve_row("cpu", "serve: processor time of a request", "nginx", time_at_most=1.1)
def serve_cpu(scene):
    return _serve_beside_nginx(scene, by_cpu(rate(scene.path("wrk"), 16)))


@serve_row("cpu-user", "serve: the same outside of the kernel", "nginx", at_most=2e-6)
def serve_cpu_user(scene):
    return _serve_beside_nginx(scene, by_cpu(rate(scene.path("wrk"), 16, user_alone=True)))


@serve_row("cpu-when", "serve: the same with \"when\" on 1 KiB of JSON", "nginx", at_most=15e-6)
def serve_cpu_when(scene):
    return _serve_beside_nginx(
        scene, by_cpu(rate(scene.path("wrk"), 16, path="/order", script=scene.order_script, user_alone=True)))


@serve_row("growth", "serve: a request to 10,000 endpoints", "to 10", time_at_most=1.1)
def serve_growth(scene):
    return Served(scene.serving(10_000), scene.serving(10), by_cpu(rate(scene.path("wrk"), 16)))


@serve_row("idle", "serve: memory of an idle connection", "nginx", unit="KiB", at_most=1)
def serve_idle(scene):
    return _serve_beside_nginx(scene, idle_memory(4000), runs=2)


@serve_row("p99", "serve: 99 of 100 requests beside 10,000 idle and 1,000 slow", "nginx", at_most=0.010)
def serve_p99(scene):
    return _serve_beside_nginx(scene, beside_many(10_000, 1000), runs=1)


@serve_row("file", "serve: 1 GiB from a file", "nginx", speed_at_least=0.9, megabytes=8)
def serve_file(scene):
    return _serve_beside_nginx(scene, file_time(1024 * MEBIBYTE))


@serve_row("start", "serve: from the start to the URL", "itself", at_most=0.015)
def serve_start(scene):
    return Started(scene.serving(10), scene.serving(10), start_time, SOME)


@serve_row("start-10000", "serve: the same with 10,000 endpoints", "with 10", at_most=0.5)
def serve_start_10000(scene):
    return Started(scene.serving(10_000), scene.serving(10), start_time, FEW)


def _serve_beside_nginx(scene, figures, runs=FEW):
    return Served(scene.serving(10), scene.plain_nginx, figures, runs)


# What several rows share.


def _send_one(scene):
    return scene.sending("send", "one", folder=scene.single_workspace)


def _curl_parallel(scene, paths, **options):
    return scene.tool(
        "curl", "-sS", "--parallel", "--parallel-max", "16", "-K", scene.url_list(paths), **options)


def _check(scene, count):
    return scene.sending("check", "--jobs", 16, folder=scene.workspace_of(count), count=count)


def _check_table(scene, count):
    return scene.sending("check", "--jobs", 16, "--data", "rows.csv", folder=scene.table_of(count), count=count)


def _check_beside_curl(scene, count, runs):
    return Pair(_check(scene, count), _curl_parallel(scene, endpoint_paths(count), count=count), runs)


def _over(scene, count, command):
    return scene.reqcli(command, folder=scene.workspace_of(count), count=count)


def _jq_over(scene, folder, *words):
    return scene.tool("jq", *words, *sorted(folder.glob("endpoints/*.json")))
