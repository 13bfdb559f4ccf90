#!/usr/bin/env python3
# @@host
# @@timeout: 300
"""Each exercise of docs/exercises.md, in both languages: what the scripts find is what the load generator has done."""
import mmap
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

DTRACE, STAP = os.environ["DTRACE"], os.environ["STAP"]
EXAMPLES = pathlib.Path(os.environ["TESTS"]).parent / "examples"
SOLUTIONS = EXAMPLES / "exercises"


def equal(what, got, wanted):
    if got != wanted:
        sys.exit("%s: %r, and not %r" % (what, got, wanted))


def holds(what, truth, *values):
    if not truth:
        sys.exit("%s: %s" % (what, " ".join(map(repr, values))))


def run(command, **options):
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **options)
    if ran.returncode != 0:
        sys.exit("%s: status %d\n%s%s" % (command, ran.returncode, ran.stdout, ran.stderr))
    return ran.stdout


def both(name, command, dtrace_arguments=(), stap_arguments=None):
    """Yields the name of each script and its output."""
    yield name + ".d", run([DTRACE, "-qs", SOLUTIONS / (name + ".d"), "-c", command, *dtrace_arguments])
    arguments = dtrace_arguments if stap_arguments is None else stap_arguments
    yield name + ".stp", run([STAP, "-c", command, SOLUTIONS / (name + ".stp"), *arguments])


def load(experiment, *assignments):
    """The command that runs an experiment."""
    settings = " ".join("-s " + one for one in assignments)
    return "./load/load %s load/%s.json" % (settings, experiment)


def truth(text):
    """The counts of the load generator's report."""
    return {line[:46].strip(): int(line.split()[-1]) for line in text.splitlines()
            if re.fullmatch(r"  .{44} \d+", line)}


def rows(text, columns):
    """The rows of all tables: what comes before the last columns, and these as numbers."""
    pattern = re.compile(r"(\S.*?)" + r"\s+(-?\d+)" * columns)
    for line in text.splitlines():
        found = pattern.fullmatch(line.strip())
        if found and not line.startswith("  "):
            yield found.group(1), *map(int, found.groups()[1:])


def total(text, columns, chosen):
    """The sums of the columns of the rows that are chosen."""
    return [sum(values) for values in zip(*(row[1:] for row in rows(text, columns) if chosen(row[0])), strict=True)] or [0] * columns


def opened():
    here = os.getcwd()
    command = "sh -c 'echo a > %s/one; echo b >> %s/one; cat %s/one; cat %s/none 2>&1 | tee -a %s/two'" % ((here,) * 5)
    name = "[a-z]+\\[\\d+\\(0:0\\)\\] (?:open|openat)\\(\"%s/" % here
    for script, text in both("opentrace", command, [here]):
        found = sorted(re.sub(name, "", line) for line in text.splitlines() if re.match(name, line))
        equal(script, found, ['none", O_RDONLY) = -2', 'one", O_RDONLY) = 3', 'one", O_WRONLY|O_APPEND|O_CREAT) = 3',
                              'one", O_WRONLY|O_CREAT) = 3', 'two", O_WRONLY|O_APPEND|O_CREAT) = 3'])


def counted():
    command = load("file_opener", "steps:open:num_steps=2", "workloads:open:params:root_dir=files")
    for script, text in both("openstat", command, ["1"]):
        shutil.rmtree("files")
        did = truth(text)
        sums = total(text, 3, lambda name: name.startswith("load "))
        # The loader opens libraries, and the generator its experiment: as often as opening goes beyond what it reports.
        libraries = sums[0] - did["opened without O_CREAT"]
        holds(script, 0 < libraries < 20, sums, did)
        equal(script, sums[1], did["opened with O_CREAT"] + 160)
        found = sums[0] + sums[1] - did["failed"] - sums[2]
        holds(script, 0 <= found < libraries, sums, did)


def started():
    for script, text in both("dumptask", "sh -c 'cd /usr; /bin/true a b'"):
        for event in "exec", "exit":
            blocks = re.findall(event + r"(?:-success)? true\[\d+\] of \d+\n((?:\t.*\n)+)", text)
            equal(script, len(blocks), 1)
            holds(script, "\targuments: /bin/true a b\n\tdirectory: /usr\n" in blocks[0], blocks)
            holds(script, re.search(r"\tprogram: /\S*bin/true\n", blocks[0]), blocks)
    for script, text in both("exectime", load("proc_starter", "steps:start:num_steps=2")):
        did = truth(text)
        found = {row[0]: row[1] for row in rows(text, 4)}
        holds(script, all(value > 0 for row in rows(text, 4) for value in row[1:]), text)
        for command, number in did.items():
            equal(script + " " + command, found.get(command.replace("'", "")), number)


def faulted():
    pages = 64
    pathlib.Path("mapped").write_bytes(bytes(pages * mmap.PAGESIZE))
    # Mapped as a program is: the file of such memory is known when the process has gone. Each page that is written is copied.
    pathlib.Path("touch.py").write_text("import mmap\nfile = open('mapped', 'r+b')\n"
                                        "mapped = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE,\n"
                                        "                   prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)\n"
                                        "for i in range(%d): mapped[i * mmap.PAGESIZE] = 1\n" % pages, encoding="ascii")
    for script, text in both("pfstat", sys.executable + " touch.py"):
        # Names of memory that a program maps while it runs are asked for at the end in D, and at once in the other language.
        file = "mapped" if script.endswith(".d") else "libc.so.6"
        faults = total(text, 1, lambda name, file=file: name.startswith("python3") and name.endswith(file))[0]
        holds(script, faults == pages if file == "mapped" else faults > 0, faults)
    for script, text in both("kmemstat", load("file_opener", "steps:open:num_steps=1")):
        did = truth(text)
        taken = total(text, 2, lambda name: name == "filp")[0]
        holds(script, taken >= did["opened with O_CREAT"] + did["opened without O_CREAT"] - did["failed"], taken, did)


def written():
    """Whether the directory is on a disk decides what the lower layers can show."""
    disk = os.major(os.stat(".").st_dev) != 0
    for script, text in both("deblock", load("deblock", "steps:fileio:num_steps=2"), ["load"]):
        did = truth(text)
        calls = total(text, 2, lambda name: name.startswith("written by system calls"))
        # The file of a megabyte is made in 16 writes; the report is a few more.
        extra = calls[1] - did["bytes written"] - (1 << 20)
        holds(script, 0 < extra < 1024 and did["writes"] + 16 < calls[0] < did["writes"] + 32, calls, did)
        below = total(text, 2, lambda name: name.startswith("written to the disk"))
        holds(script, not disk or below[1] >= did["bytes written"], below, did)
    for script, text in both("readahead", load("readahead", "steps:fileio:num_steps=2"), ["load"]):
        did = truth(text)
        calls = total(text, 2, lambda name: name == "1 read by system calls")
        holds(script, did["reads"] < calls[0] < did["reads"] + 50, calls, did)
        holds(script, did["bytes read"] < calls[1] < did["bytes read"] + (1 << 17), calls, did)
        below = total(text, 2, lambda name: name == "3 read from the disk")
        holds(script, not disk or 0 < below[0] < did["reads"] / 4, below, did)


def locked():
    for script, text in both("mtxtime", load("mutex", "steps:lock:num_steps=1"), [], [os.path.abspath("load/load")]):
        did = truth(text)
        found = [tuple(map(int, line.split()[1:])) for line in text.splitlines() if re.fullmatch(r"0x[0-9a-f]+ +\d+ +\d+", line)]
        holds(script, "Mutex::hold(" in text, text)
        for number in range(4):
            taken = did["mutex %d taken" % number]
            slow = did["mutex %d taken after more than 1 ms" % number]
            # The generator's clock is read before the script's, and after it.
            holds(script, any(one[0] == taken and one[1] <= slow for one in found), number, taken, slow, found)


def called():
    php = shutil.which("php8.2")
    if php is None:
        print("php8.2 is not there: exercise 7 is not run")
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = load("pages", "steps:get:num_steps=1", "workloads:get:params:port=%d" % port)
    calls = {"/?page=list": {"list_page": 1, "price": 5}, "/?page=cart": {"cart_page": 1, "Cart::total": 1, "price": 1},
             "/?page=search": {"search_page": 1}}
    for tracer in (["topphp.d", DTRACE, "-qs", SOLUTIONS / "topphp.d", "-p"], ["topphp.stp", STAP, SOLUTIONS / "topphp.stp", php, "-x"]):
        with subprocess.Popen([php, "-n", "-S", "127.0.0.1:%d" % port, SOLUTIONS / "shop.php"], stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, USE_ZEND_DTRACE="1")) as server:
            try:
                server.stderr.readline()
                did, text = traced(tracer[1:] + [str(server.pid)], command)
            finally:
                server.kill()
        found = {tuple(row[0].split()): row[1] for row in rows(text, 2)}
        for page, number in did.items():
            for function, times in calls[page].items():
                equal("%s %s %s" % (tracer[0], page, function), found.get((page, function)), number * times)


def traced(tracer, command):
    """Runs a command beside a tracer that ends by a signal: what the command reports, and what the tracer prints."""
    running = toolkit.Running(tracer)
    try:
        if not running.shows("^Tracing", 120):
            sys.exit("%s: %s%s" % (tracer, running.text(), running.said()))
        did = truth(run(["sh", "-c", command]))
    finally:
        running.stop()
    return did, running.text()


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        shutil.copytree(EXAMPLES / "load", "load")
        run(["make", "-s", "-C", "load", "CXXFLAGS=-std=c++20 -pthread"])
        for exercise in opened, counted, started, faulted, written, locked, called:
            exercise()


main()
