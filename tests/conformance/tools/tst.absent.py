# Values that this machine does not have, or that nothing has, are refused before anything is traced; a service may
# come later, so that it is only said.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

# What each type refuses, and with which words.
BAD = {
    "disk": [("no-such", "there is no disk no-such")],
    "device": [("no-such", "there is no device no-such of the network")],
    "filesystem": [("no-such", "this kernel has no type no-such of file systems")],
    "terminal": [("/dev/pts/no-such", "there is no terminal /dev/pts/no-such")],
    "process": [("999999999", "there is no "), ("-1", "'-1' is not the number of a process")],
    "user": [("no-such", "there is no user 'no-such'"), ("-5", "there is no user '-5'")],
    "signal": [("SIGTREM", "did you mean SIGTERM?"), ("65", "'65' is not a signal")],
    "error": [("ENOENTT", "did you mean ENOENT?"), ("-2", "'-2' is not an error")],
    "uint": [("-5", "'-5' is not a number of at least 0")],
    "period": [("0", "'0' is not a time above 0, such as 5, 100ms or 2m"), ("-1", "'-1' is not a time"), ("soon", "'soon' is not a time")],
    "count": [("0", "'0' is not a number of at least 1"), ("-5", "'-5' is not a number of at least 1")],
    "port": [("65536", "'65536' is not a port"), ("-5", "'-5' is not a port")],
    "int": [("5x", "'5x' is not a number")],
}
WAITS = ["disk", "device", "filesystem", "terminal"]  # with -Z


def run(name, *words):
    done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / f"{name}.d"), *words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


bad, seen = [], set()
for script in sorted(toolkit.TOOLS.glob("*.d")):
    declared = re.findall(r"^#pragma D (flag \w|argument) (\w+) (\w+)", script.read_text(), re.M)
    before = []  # the arguments in front of this one
    for kind, option, type_ in declared:
        is_flag = kind != "argument"
        for value, words in BAD.get(type_, []):
            # Each kind of refusal once by its flag, once by position; where it is declared is the same code.
            if (type_, is_flag, value) in seen and type_ not in WAITS:
                continue
            if value.startswith("-") and not is_flag:
                continue  # it would be an option
            seen.add((type_, is_flag, value))
            status, out, err = run(script.stem, *([f"-{kind[-1]}", value] if is_flag else [*before, value]))
            if status == 0 or out or words not in err:
                bad.append(f"{script.stem} {kind} {value}: {status} {out}{err}")
        if not is_flag:
            before.append({"period": "1h", "uint": "1", "count": "1"}.get(type_, "x"))
for name, *words in ("biosnoop", "-d", "no-such"), ("netqtop", "-n", "no-such"), ("fsslower", "-t", "no-such"):
    status, out, err = run(name, *words, "-Z", "-c", "true")
    if status != 0 or err:
        bad.append(f"{name} {words} -Z: {status} {err}")
status, out, err = run("svcstart", "no-such.service", "-c", "true")
if status != 0 or err != "svcstart: there is no unit no-such.service, and no control group of this name yet\n":
    bad.append(f"svcstart: {status} {err}")
missing = sorted(set(BAD) - {type_ for type_, _, _ in seen})
if bad or missing:
    sys.exit("\n".join([*bad, *missing]))
