"""What a user stack without frame pointers costs, by its depth: unwound, and unwound and stored as a key.
"""
import subprocess

from common import ROUNDS, heading, start, stop, wait_ready


def bench(tools):
    heading("a user stack without frame pointers: ns for each call that is traced")
    depths = (0, 20, 100)
    actions = {"the unwinder alone: @ = sum(ustackdepth)": "@ = sum(ustackdepth);",
               "@[ustack(127)] = count()": "@[ustack(127)] = count();"}
    best = {(name, depth): float("inf") for name in actions for depth in depths}
    # In turns, as the machine is not the same from one second to the next.
    for _ in range(ROUNDS):
        for depth in depths:
            argv = [tools.getppid, str(tools.calls // 10), str(depth)]
            alone = float(subprocess.run(argv, capture_output=True, check=True).stdout)
            for name, action in actions.items():
                process = start([tools.dtrace, "-q", "-n", "BEGIN { printf(\"ready\\n\"); } "
                                 f"syscall::getppid:entry /execname == \"getppid\"/ {{ {action} }}"])
                wait_ready(process)
                for _ in range(3):
                    traced = float(subprocess.run(argv, capture_output=True, check=True).stdout)
                    best[name, depth] = min(best[name, depth], traced - alone)
                stop(process)
    frame = []
    print(f"{'':44}" + "".join(f"{depth:>5} frames more" for depth in depths) + "   a frame")
    for name in actions:
        frame.append((best[name, 100] - best[name, 20]) / 80)
        print(f"{name:44}" + "".join(f"{best[name, depth]:>17.0f}" for depth in depths) + f"{frame[-1]:>10.0f}", flush=True)
    print(f"{frame[1] / frame[0]:.2f} of the unwinder (at most 1.1); at most 250 ns a frame", flush=True)
