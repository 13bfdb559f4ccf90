# kill -9 at aimed moments of attaching, tracing and detaching, once for each kind of probes (tests/kills.py).
# @@timeout: 180
# @@host
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
import kills
import soundness

done = kills.campaign(99 * soundness.SCALE, seed=5)
missed = [f"{kind}, {moment}" for (kind, moment), hits in done.hits.items() if hits == 0]
if missed:
    print("no turn came at its moment:", "; ".join(missed))
sys.exit(1 if done.failures or len(missed) > 20 else 0)
