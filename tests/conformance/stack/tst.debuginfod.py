# @@host
# Debug files that are nowhere on this machine come from the servers of DEBUGINFOD_URLS: names and lines of a stripped
# program. A server that is not there, or never answers, is said once, and the rest goes on; an interruption ends the wait.
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

DTRACE = os.environ["DTRACE"]
work = tempfile.mkdtemp()
program = f"{work}/plain"
served = f"{work}/served"
SOURCE = r"""
#include <sys/syscall.h>
#include <unistd.h>
static __attribute__((noinline)) long asks(long x) { return syscall(SYS_getppid) + x; }
int main(int count, char** words) { return asks(count) == 0; }
"""


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def tracer(urls, cache, options=("-x", "lines"), clause="syscall::getppid:entry /pid == $target/ { ustack(3); }"):
    words = [DTRACE, "-q", *options, "-c", program, "-n", clause]
    environment = dict(os.environ, DEBUGINFOD_URLS=urls, DEBUGINFOD_CACHE_PATH=f"{work}/{cache}", HOME=work)
    for name in ("DEBUGINFOD_TIMEOUT", "DEBUGINFOD_PROGRESS", "DEBUGINFOD_VERBOSE", "http_proxy", "https_proxy"):
        environment.pop(name, None)
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=environment)


def trace(*words, **more):
    process = tracer(*words, **more)
    out, err = process.communicate(timeout=120)
    check(process.returncode == 0, out, err)
    return [line.strip() for line in out.splitlines() if "plain`" in line], err


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


for tool in ("debuginfod", "gcc", "objcopy", "strip", "readelf"):
    if not shutil.which(tool):
        print(f"skipped: there is no {tool}")
        sys.exit(77)
os.mkdir(served)
with open(f"{work}/plain.c", "w") as file:
    file.write(SOURCE)
subprocess.run(["gcc", "-O2", "-g", "-Wl,--build-id", "-o", program, "plain.c"], check=True, cwd=work)
notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
build_id = next(line.split()[-1] for line in notes.splitlines() if "Build ID" in line)
subprocess.run(["objcopy", "--only-keep-debug", program, f"{served}/plain.debug"], check=True)
subprocess.run(["strip", program], check=True)

# Nobody is asked who is not named.
shown, err = trace("", "none")
check(shown and "asks" not in shown[0] and err == "" and not os.path.exists(f"{work}/none"), shown, err)

port = free_port()
server = subprocess.Popen(["debuginfod", "-F", "-t", "0", "-g", "0", "-p", str(port), "-d", f"{work}/database", served],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    url = f"http://127.0.0.1:{port}"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + 60
    while True:
        try:
            opener.open(f"{url}/buildid/{build_id}/debuginfo", timeout=10).close()
            break
        except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
            check(time.monotonic() < deadline and server.poll() is None, error)
            time.sleep(0.1)
    for _ in range(2):
        shown, err = trace(url, "cache")
        check(shown[0].split("+")[0] == "plain`asks" and shown[0].endswith(" at plain.c:4"), shown, err)
        check(shown[1].split("+")[0] == "plain`main" and shown[1].endswith(" at plain.c:5"), shown, err)
        check(err == "", err)
finally:
    server.terminate()
    server.wait(timeout=30)
# What was fetched is kept.
shown, err = trace(url, "cache", options=())
check(shown[0].split("+")[0] == "plain`asks", shown, err)

# Functions to probe are known by the same file, with the types of their arguments; what the program exports, and
# what is not in the file either, needs no server.
ASKS = "pid$target:a.out:asks:entry { printf(\"plain` %d\\n\", (int)args[0] + 6); }"
shown, err = trace(url, "cache", clause=ASKS)
check(shown == ["plain` 7"] and err == "", shown, err)
shown, err = trace(url, "cache", clause="pid$target:plain:a*s:entry { printf(\"plain` %s\\n\", probefunc); }")
check(shown == ["plain` asks"] and err == "", shown, err)
process = tracer("", "none", clause=ASKS)
out, err = process.communicate(timeout=60)
check(process.returncode == 1 and "hint: plain is stripped: only functions that it exports have names here; a debug "
      "package or DEBUGINFOD_URLS has the others" in err, out, err)

# Nobody is there.
shown, err = trace(f"http://127.0.0.1:{free_port()}", "cache2")
check(shown and err.count("\n") == 1 and err.startswith("dtrace: debuginfod: the debug file of "), shown, err)

# Somebody is there who never answers.
with socket.socket() as mute:
    mute.bind(("127.0.0.1", 0))
    mute.listen(16)
    process = tracer(f"http://127.0.0.1:{mute.getsockname()[1]}", "cache3")
    os.set_blocking(process.stderr.fileno(), True)
    said = process.stderr.readline()
    check(said.startswith("dtrace: debuginfod: waiting for the debug file of "), said)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check(process.returncode == 0 and "plain`0x" in out and "interrupted" in err, out, err)
shutil.rmtree(work)
