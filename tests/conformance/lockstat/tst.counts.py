# Every lock that is had after a wait fires one probe once, whichever are enabled: as the tracepoints say.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, drops, workload  # noqa: E402

# begun[]: the flags that all begins of a wait have had, and 64.
SCRIPT = """
int begun[int, uint64_t];
sdt:lock::contention_begin /pid == $target && arg1 != 0/
{
	begun[tid, arg0] = begun[tid, arg0] != 0 && (arg1 & 32) != 0 ? begun[tid, arg0] & (arg1 | 64) : arg1 | 64;
}
sdt:lock::contention_end /pid == $target && begun[tid, arg0] != 0 && arg1 == 0/
{
	@wanted[begun[tid, arg0] & 63] = count();
}
sdt:lock::contention_end /pid == $target/ { begun[tid, arg0] = 0; }
END { printa("wanted %d %@d\\n", @wanted); }
"""
PROBES = """
%s /pid == $target/
{
	@fired[probename] = count();
	@most[probename] = max(arg1);
	@reader[probename] = sum(arg2);
}
END { printa("fired %%s %%@d %%@d %%@d\\n", @fired, @most, @reader); }
"""
ALL = ["adaptive-block", "adaptive-spin", "rw-block", "rw-spin", "spin-spin"]
READ = 2


def probe_of(flags):
    if flags & 32:
        return "adaptive-spin" if flags & 1 else "adaptive-block"
    if flags & 6:
        return "rw-spin" if flags & 1 else "rw-block"
    if flags & 1:
        return "spin-spin"
    return "adaptive-block" if flags & 8 else None


def check(names):
    script = SCRIPT + PROBES % ", ".join(f"lockstat:::{name}" for name in names)
    done = subprocess.run([DTRACE, "-q", "-n", script, "-c", workload("contend") + " 8 1000"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    dropped = drops(done.stderr)
    if done.returncode != 0 or re.sub(r"dtrace: \d+ drops? on CPU \d+\n", "", done.stderr).strip():
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    took = int(re.search(r"^took (\d+)$", done.stdout, re.M).group(1))
    wanted, readers = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for flags, count in re.findall(r"^wanted (\d+) (\d+)$", done.stdout, re.M):
        name = probe_of(int(flags))
        if name in wanted:
            wanted[name] += int(count)
            readers[name] += int(count) if int(flags) & READ and name.startswith("rw") else 0
    fired, of_readers = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for name, count, most, reader in re.findall(r"^fired (\S+) (\d+) (\d+) (\d+)$", done.stdout, re.M):
        fired[name], of_readers[name] = int(count), int(reader)
        if not 0 < int(most) <= took:
            sys.exit(f"{name}: a wait of {most} ns, and all has taken {took}")
    print(f"fired {fired}, {dropped} drops")
    # A drop is a begin or an end of a wait that one of the programs has not seen.
    for name in names:
        if abs(fired[name] - wanted[name]) > dropped or abs(of_readers[name] - readers[name]) > dropped:
            sys.exit(f"{name}: fired {fired[name]} times and {of_readers[name]} for readers, "
                     f"wanted {wanted[name]} and {readers[name]}: {done.stdout}")
    return sum(fired.values()) > 10 * dropped


for names in (ALL, ["rw-block"], ["adaptive-block", "spin-spin"]):
    while not check(names):
        again("no waits, or too many drops to tell")
