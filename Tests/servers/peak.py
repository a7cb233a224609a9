"""Runs a command and prints the most memory that it held, in KiB, on stderr.

A process of its own: a child begins with what its parent holds, so the parent has to be small.
"""

import os
import sys

child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(f"peak {usage.ru_maxrss}", file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
