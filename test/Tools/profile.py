"""Checks what model-run --profile=json says: profile.py MODEL-RUN MODEL SCHEDULE."""
import json
import subprocess
import sys

run, model, schedule = sys.argv[1:4]
text = subprocess.run([run, model, "--profile=json", "--iters=3", "--schedule=" + schedule],
                      check=True, capture_output=True, text=True).stdout
profile = json.loads(text)
units = profile["units"]
assert profile["runs"] == 3
parts = units + [profile["overhead"]]
assert abs(sum(p["share"] for p in parts) - 1) < 1e-6, parts
assert abs(sum(p["ms"] for p in parts) - profile["ms"]) < 1e-6 * profile["ms"], parts
assert all(p["ms"] >= 0 for p in parts)
# In the order of the run, none twice.
assert len({(u["op"], u["node"], u["kernel"]) for u in units}) == len(units), units
for u in units:
    assert u["op"] and u["kernel"], u
    # A rate is known with the time, and only of what computes.
    assert (u["gflops"] > 0) <= (u["kernel"] not in ("pack", "unpack", "copy", "fill")), u
if "resnet" in model:
    convs = [u for u in units if u["kernel"].startswith("conv2d" if schedule == "full" else "loops")
             and u["op"] == "conv2d"]
    # Every product of the net, two operations each.
    flops = sum(u["gflops"] * u["ms"] for u in units if "conv2d" in u["op"])
    assert len(convs) == 20 and abs(flops - 2 * 43.236352) < 0.05 * 86, (len(convs), flops)

# The table has the same parts, the longest first, in tenths of a microsecond.
table = subprocess.run([run, model, "--profile", "--iters=3", "--schedule=" + schedule],
                       check=True, capture_output=True, text=True).stdout.splitlines()
times = [float(line.split()[0]) for line in table[1:]]
assert len(times) == len(parts) + 1, table
assert times[:-1] == sorted(times[:-1], reverse=True), table
assert abs(sum(times[:-1]) - times[-1]) <= 1e-4 * len(times), table
