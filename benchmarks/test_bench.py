"""Tests of the benchmark itself: python3 -m unittest discover -s benchmarks"""

import unittest
from unittest import mock

from bench import measure
from measuring import Figures, MissingProgram
from rows import ROWS
from scene import Scene

#: Rows that compare reqcli with itself, or with a program that has nothing to do with the server.
WITHOUT_SERVER = [
    "render", "list", "help", "version", "check-2000-auto", "load-10000", "list-10000", "list-growth", "validate-10000", "validate-growth",
    "serve-log", "serve-growth", "serve-start", "serve-start-10000",
]

#: How the names of rows begin that need wrk.
WITH_WRK = ("serve-1", "serve-256", "serve-log", "serve-cpu", "serve-growth")


class MissingProgramTests(unittest.TestCase):
    def measured_without(self, *missing):
        """What all rows come to on a machine without these programs; nothing is started."""
        def path(name):
            if name in missing:
                raise MissingProgram(name, f"the package {name}")
            return f"/usr/bin/{name}"

        launcher = mock.Mock()
        launcher.measure.side_effect = lambda pair: [Figures(1, 1, 1024)] * 2
        table = mock.Mock()
        with mock.patch.object(Scene, "path", staticmethod(path)), Scene() as scene:
            scene.launcher = launcher
            scene.document = scene.folder / "document.json"
            if "nginx" not in missing:
                scene.base = scene.address
            outcome = measure(ROWS, scene, table)
        self.assertEqual(table.add.call_count, len(outcome.results))
        return outcome, [result.row.name for result in outcome.results]

    def test_without_nginx_the_rows_that_need_no_server_are_measured(self):
        outcome, measured = self.measured_without("nginx")
        self.assertEqual(measured, WITHOUT_SERVER)
        others = ", ".join(row.name for row in ROWS if row.name not in WITHOUT_SERVER)
        self.assertEqual(
            list(outcome.complaints),
            [f"not measured: nginx is missing; it comes with the package nginx: {others}"])
        self.assertFalse(outcome.is_complete)

    def test_any_other_missing_program_takes_its_rows_along_alone(self):
        for name, rows in [
            ("http", ["send-httpie"]),
            ("jq", ["list-10000", "validate-10000", "pretty", "select"]),
            ("wrk", [row.name for row in ROWS if row.name.startswith(WITH_WRK)]),
        ]:
            with self.subTest(name):
                outcome, measured = self.measured_without(name)
                self.assertEqual(measured, [row.name for row in ROWS if row.name not in rows])
                self.assertEqual(
                    list(outcome.complaints),
                    [f"not measured: {name} is missing; it comes with the package {name}: {', '.join(rows)}"])

    def test_with_everything_all_rows_are_measured(self):
        outcome, measured = self.measured_without()
        self.assertEqual(measured, [row.name for row in ROWS])
        self.assertTrue(outcome.is_complete)


if __name__ == "__main__":
    unittest.main()
