# --set record=FILE: without root, the recording prints what the run has printed, in all forms and in the same order. A run
# that is killed leaves what it had printed; what is damaged is refused or shown up to there.
import os
import re
import signal
import subprocess
import sys
import tempfile

STAP, DTRACE = os.environ["STAP"], os.environ["DTRACE"]
bad = []
SCRIPT = """
global n, s, last, empty
probe begin { printf("begin %s\\n", @1) warn("careful") system("true") }
probe syscall.openat { if (pid() != target()) next
  n++ s <<< n last[execname(), "x\\"y"] = n printf("%s(%d) %s\\n", execname(), n, argstr) }
probe timer.ms(20) { println("tick") }
probe error { println("error") println(@hist_log(s)) print(@hist_linear(s, 0, 2, 1)) print("\\377\\033[1m") }
probe end { println("never") }
probe syscall.close { if (pid() == target() && n > 2) error("enough") }
"""


def check(what, is_so, found=""):
    if not is_so:
        bad.append(f"{what}: {found}")


def run(*command, root=True, **options):
    user = [] if root else ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    return subprocess.run([*user, *command], stdin=subprocess.DEVNULL, capture_output=True, timeout=100, **options)


def unpassed(text):
    """What the command of dtrace says before each message, and stap behind its run."""
    lines = text.decode(errors="replace").replace("dtrace: ", "").splitlines()
    return [line for line in lines if not line.startswith("Pass 5") and "is not done again" not in line]


with tempfile.TemporaryDirectory(prefix="recording-") as directory:
    file = os.path.join(directory, "all")

    # Text and JSON lines, live and replayed.
    for form in ([], ["--set", "oformat=jsonl"]):
        live = run(STAP, *form, "--set", f"record={file}", "-e", SCRIPT, "word", "-c", "cat /dev/null")
        check("a live run", live.returncode == 1 and b"enough" in live.stderr and len(live.stdout) > 300, live)
        check("its mode", os.stat(file).st_mode & 0o777 == 0o600)
        dform = ["-x", form[1]] if form else []
        for command in ([STAP, "-r", file, *form], [DTRACE, "-r", file, *dform]):
            again = run(*command, root=False)
            check(f"{command}", again.stdout == live.stdout and again.returncode == 1, (live.stdout, again))
            check(f"messages of {command}", unpassed(again.stderr) == unpassed(live.stderr), (live.stderr, again.stderr))
            check("system()", again.stderr.count(b"system() is not done again for a recording\n") == 1, again.stderr)
    json = live.stdout
    check("histograms", b'"kind":"log"' in json and b'"kind":"linear","low":0,"high":2,"width":1' in json, json)
    # The form of a recording is that of the replay.
    text = run(STAP, "-r", file)
    check("text of a run in JSON", text.stdout.startswith(b"begin word\ncat(1) "), text)
    check("an older recording", os.path.exists(file + ".old"))
    older = run(STAP, "-r", file + ".old", "--set", "oformat=jsonl")
    check("JSON of a run in text", older.stdout.count(b"\n") >= json.count(b"\n") - 20 and b'"type":"variable"' in older.stdout, older)
    quiet = run(STAP, "--set", "oformat=none", "--set", f"record={file}", "-e", "probe begin { println(1) exit() }")
    check("oformat=none", (quiet.returncode, quiet.stdout) == (0, b""), quiet)
    check("its replay", run(STAP, "-r", file).stdout == b"1\n")
    out = os.path.join(directory, "out")
    run(STAP, "-r", file, "-o", out)
    with open(out) as written:
        check("-o", written.read() == "1\n")

    # Through a pipe, and a part of it.
    script = "probe begin { println(0) } probe timer.ms(1100) { println(1) exit() }"
    piped = subprocess.run(f"{STAP} --set record=- -e '{script}' | {STAP} -r -", shell=True, capture_output=True, timeout=100)
    check("a pipe", piped.stdout == b"0\n1\n", piped)
    run(STAP, "--set", f"record={file}", "-e", script)
    part = run(DTRACE, "-r", file, "-x", "range=1s..")
    check("range=", part.stdout == b"1\n", part)
    listed = run(DTRACE, "-l", "-r", file).stdout.decode()
    check("-l", "2 records, 0 messages, no drops; exit status 0\n\nbegin: 1 text\ntimer.ms(1100): 1 text\n" in listed, listed)

    # What handlers have done, and the variables with their types.
    script = 'global n, s, t, u probe begin { n["\033[1m", 2] = 3 n["b", 2] = 4 s <<< 5 t = "x" u[1] <<< 2 warn("w") system("true") println(1) } ' \
             'probe timer.ms(1) { print(2) exit() }'
    run(STAP, "--set", f"record={file}", "-e", script)
    points = "begin: 1 text, 1 message, 1 command\ntimer.ms(1): 1 text\n"
    variables = "n [string, long]:long, 2 elements\ns:stats\nt:string\nu [long]:stats, 1 element\n"
    for order in (["-r", file, "-l"], ["-l", "-r", file]):
        listed = run(STAP, *order, root=False)
        check(f"{order}", listed.returncode == 0 and listed.stdout.decode().endswith("exit status 0\n\n" + points), listed)
    listed = run(STAP, "-r", file, "-L", root=False)
    check("-L", listed.stdout.decode().endswith(points + "\n" + variables), listed)
    check("dtrace -l", variables in run(DTRACE, "-l", "-r", file).stdout.decode())
    with open(file, "rb") as whole:
        content = whole.read()
    with open(file, "wb") as cut:
        cut.write(content[:-20])
    listed = run(STAP, "-r", file, "-l")
    check("-l of one that is cut", listed.returncode == 1 and b"recorded on" in listed.stdout and b"ERROR: the recording" in listed.stderr, listed)

    # On a terminal, escapes are those of the script: what was recorded shows its control characters, live and in a replay.
    script = 'global n probe begin { n["a\033[7mb"] = 1 print("\033[1mown\033[0m ") } probe syscall.openat { if (pid() == target()) printf("%s\\n", user_string2($filename, "?")) }'
    def on_terminal(*command):
        import pty
        leader, follower = pty.openpty()
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.DEVNULL) as process:
            os.close(follower)
            text = b""
            while True:
                try:
                    more = os.read(leader, 1 << 16)
                except OSError:
                    break
                if not more:
                    break
                text += more
            process.wait(100)
        os.close(leader)
        return text
    live = on_terminal(STAP, "--set", f"record={file}", "-e", script, "-c", "cat /dev/null '/no\033]0;title\007'")
    check("escapes of the script", b"\033[1mown\033[0m " in live, live)
    check("escapes that were recorded", b"]0;title" in live and b"\033]0" not in live and b"\007" not in live and b"\033[7m" not in live, live)
    check("escapes in a replay", on_terminal(STAP, "-r", file) == live)
    for more in (["-l"], ["-L"], ["--set", "oformat=jsonl"]):
        check(f"escapes in {more}", b"\033" not in on_terminal(STAP, "-r", file, *more))

    # A text that is longer than a part of it.
    long = "probe begin { for (i = 0; i < 40000; i++) printf(\"%060d\\n\", i) println(\"end\") exit() }"
    for form in ([], ["--set", "oformat=jsonl"]):
        live = run(STAP, "-D", "MAXACTION_INTERRUPTIBLE=100000000", *form, "--set", f"record={file}", "-e", long)
        again = run(STAP, "-r", file, *form)
        check("a long text", len(live.stdout) > 2_400_000 and live.stdout == again.stdout, (len(live.stdout), len(again.stdout)))
        check("in one line", not form or live.stdout.count(b"\n") == 2, live.stdout.count(b"\n"))

    # A text that is just one part: what the next handler prints is another text.
    one_part = f"probe begin {{ for (i = 0; i < {(1 << 20) // 64}; i++) print(\"{'x' * 64}\") }} probe timer.ms(10) {{ print(\"next\") exit() }}"
    live = run(STAP, "-D", "MAXACTION_INTERRUPTIBLE=100000000", "--set", "oformat=jsonl", "--set", f"record={file}", "-e", one_part)
    check("a text of one part", re.findall(rb'"point":"([a-z.()0-9]+)","text":"(.)', live.stdout) ==
          [(b"begin", b"x"), (b"timer.ms(10)", b"n")], live.stdout[-200:])
    check("its replay", run(STAP, "-r", file, "--set", "oformat=jsonl").stdout == live.stdout)

    # Killed: what is there is the begin of what was printed.
    counts = "global n probe timer.ms(1) { printf(\"%d\\n\", n++) }"
    with subprocess.Popen([STAP, "--set", f"record={file}", "-e", counts], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if int(line) >= 400:  # 200 ms later at the latest it is in the file
                break
        process.send_signal(signal.SIGKILL)
        process.stdout.read()
    killed = run(STAP, "-r", file)
    numbers = [int(line) for line in killed.stdout.split()]
    check("killed", numbers and numbers == list(range(len(numbers))) and killed.returncode == 1, killed)
    check("its end", re.search(rb"ends at [-\d]+ [:\d]+: it is cut off there", killed.stderr), killed.stderr)

    # Damaged.
    run(STAP, "--set", f"record={file}", "-e", "probe begin { println(\"one\") println(\"two\") exit() }")
    with open(file, "rb") as whole:
        content = whole.read()
    for at in range(0, len(content), 5):
        damaged = bytearray(content)
        damaged[at] ^= 0x41
        with open(file, "wb") as changed:
            changed.write(damaged)
        done = run(STAP, "-r", file)
        check(f"damage at {at}", done.returncode in (0, 1) and b"one\ntwo\n".startswith(done.stdout), done)
        check(f"damage at {at} is said", done.returncode == 1 or done.stdout == b"one\ntwo\n", done)
        check(f"damage at {at} is not said", done.returncode == 0 or done.stderr, done)

    # What is wrong is said.
    run(STAP, "--set", f"record={file}.whole", "-e", "probe begin { exit() }")
    other = os.path.join(directory, "other")
    with open(other, "w") as text:
        text.write("text\n")
    whole = f"{file}.whole"
    for arguments, wanted in (
            (["--set", f"record={other}", "-e", "probe begin { exit() }"], "is there, and no recording"),
            (["--set", "recordsize=1m", "-e", "probe begin { exit() }"], "recordsize says how much of a recording is kept"),
            (["--set", "range=1s..2s", "-e", "probe begin { exit() }"], "option 'range' is a part of a recording"),
            (["-r", other], "it is no recording of dtrace"),
            (["-r", os.path.join(directory, "none")], "and there is no recording of that name"),
            (["-r", whole, "-e", "probe begin { exit() }"], "it does not take a script or arguments"),
            (["-r", whole, "-c", "true"], "it does not take -c or -x"),
            (["-r", whole, "-p2"], "it does not take -m, -p or -k"),
            (["-r", whole, "-T", "5"], "it does not take -t, -T, -s or -F"),
            (["-r", whole, "-D", "MAXACTION=5"], "it does not take -D, -G, -g, -I"),
            (["-r", whole, "--set", "bufsize=4m"], "option 'bufsize' concerns tracing"),
            (["-r", whole, "--set", "listen"], "listen needs a global variable"),
            (["-r", whole, "--set", "base=x"], "option 'base' compares aggregations of programs in D"),
            (["-r", whole, "-l", "syscall.*"], "it does not take a script or arguments"),
            (["-l"], "option requires an argument -- 'l'"),
            (["-r", whole, "--set", "oformat=ctf"], "oformat=ctf shows D's records and aggregations")):
        refused = run(STAP, *arguments)
        check(f"{arguments}", refused.returncode == 1 and wanted in refused.stderr.decode(), refused)
    # Warnings stand among the texts as in the run, and are messages.
    ordered = os.path.join(directory, "ordered")
    script = 'probe begin { println("a") } probe timer.ms(20) { n++ println(n) if (n == 2) warn("w") if (n == 4) exit() } global n'
    run(STAP, "--set", f"record={ordered}", "-e", script)
    merged = subprocess.run([STAP, "-r", ordered], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=100).stdout
    check("the order of a warning", merged == b"a\n1\n2\nWARNING: w\n3\n4\n", merged)
    check("messages of -l", b"\n6 records, 1 message, no drops" in run(STAP, "-r", ordered, "-l").stdout, run(STAP, "-r", ordered, "-l"))
    check("the running kernel", run(STAP, "-r", os.uname().release, "-e", "probe begin { exit() }").returncode == 0)

for one in bad:
    print(one)
print(f"{len(bad)} differences from what was printed")
sys.exit(1 if bad else 0)
