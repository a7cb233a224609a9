#!/usr/bin/env python3
"""
Import each OpenAPI description of the corpora into an empty folder, and run the commands that the import names as the next ones.

    Tests/import/next.py PROGRAM [FOLDER]

FOLDER is searched for descriptions, ../shared/corpora/openapi or $REQCLI_CORPORA/openapi without it. Of 100 descriptions that can be
imported, all commands of at least 95 must exit with 0.
"""

import os
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "idioms"))
from idioms import Workspace, failing_next  # noqa: E402

LEAST = 0.95


def is_description(path):
    """Whether a file is a description itself, and not a part that another one refers to."""
    if path.suffix not in (".json", ".yaml", ".yml"):
        return False
    text = path.read_text(errors="replace")
    return any(f"{quote}{key}{quote}:" in text.replace('" :', '":')
               for key in ("openapi", "swagger") for quote in ('"', "", "'"))


def examine(program, source):
    """What the commands after an import report; a text if the description can't be imported."""
    with tempfile.TemporaryDirectory(prefix="next") as name:
        folder = Path(name).resolve() / "workspace"
        shutil.copytree(source.parent, folder)
        workspace = Workspace(program, folder, {})
        result = workspace.run("import", source.name)
        if result.returncode:
            return result.stderr.decode(errors="replace").strip().partition("\n")[0]
        return failing_next(workspace, result)


def main():
    program = str(Path(sys.argv[1]).resolve())
    corpora = os.environ.get("REQCLI_CORPORA", Path(__file__).resolve().parents[3] / "shared" / "corpora")
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(corpora) / "openapi"
    if not folder.is_dir():
        print(f"skipped: there is no folder {folder}")
        return 0
    sources = [path for path in sorted(folder.rglob("*")) if path.is_file() and is_description(path)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(lambda source: examine(program, source), sources))
    for source, outcome in zip(sources, outcomes):
        for problem in [f"not imported: {outcome}"] if isinstance(outcome, str) else outcome:
            print(f"{source.relative_to(folder)}: {problem}")
    imported = [outcome for outcome in outcomes if not isinstance(outcome, str)]
    whole = sum(not problems for problems in imported)
    print(f"{len(sources)} descriptions, {len(imported)} imported, the next commands of {whole} succeed")
    if not imported:
        print("no description was imported")
        return 1
    return 0 if whole >= LEAST * len(imported) else 1


if __name__ == "__main__":
    sys.exit(main())
