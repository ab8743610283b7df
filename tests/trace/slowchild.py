"""A child process that says it compiles two kernels, and is ready."""

import json
import sys

for said in ({"compiling": [0, 2, "one"]}, {"compiling": [1, 2, "two"]}, {"ready": True}):
    print(json.dumps(said), flush=True)
sys.stdin.read()
