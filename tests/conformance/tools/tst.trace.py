# Calls of this process with known arguments: tools/trace.d.
import os
import re
import sys
import threading

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

me = os.getpid()
with toolkit.Alone("trace", "-p", me, "-s", "0", "syscall::chdir:entry") as paths, \
        toolkit.Alone("trace", "-p", me, "syscall::getpriority:entry") as numbers, \
        toolkit.Alone("trace", "-p", me, "-K", "-U", "-M", "2", "syscall::getpriority:entry") as stacks, \
        toolkit.Alone("trace", "-L", threading.get_native_id(), "syscall::getpriority:entry") as of_thread, \
        toolkit.Alone("trace", "-n", "no-such-name", "syscall:::entry") as of_another:
    for path in "/", "/nonexistent\n1 forged":
        try:
            os.chdir(path)
        except OSError:
            pass
    for number in 7, 8, 9:
        try:
            os.getpriority(os.PRIO_USER, number)
        except OSError:
            pass
    other = threading.Thread(target=lambda: os.getpriority(os.PRIO_PROCESS, 0))
    other.start()
    other.join()
    paths.shows("forged")
    toolkit.same("its end after two", stacks.script.process.wait(60), 0)
    of_thread.shows(r"getpriority +0x2 0x9 ")
    numbers.shows(r"getpriority +0x2 0x9 ")
START = rf"^\d{{4}} \w{{3}} .\d [\d:]{{8}} {me} +{me} +\S+ +"
toolkit.same("paths", re.findall(START + r'chdir +0x[0-9a-f]+ .* "(.*)"$', paths.ours, re.M), ["/", "/nonexistent\\n1 forged"])
toolkit.same("numbers", re.findall(START + r"getpriority +(\w+) (\w+) ", numbers.ours, re.M), [("0x2", "0x7"), ("0x2", "0x8"), ("0x2", "0x9")])
toolkit.same("of one thread", re.findall(START + r"getpriority +(\w+) ", of_thread.ours, re.M), ["0x2"] * 3)
toolkit.same("two with stacks", len(re.findall(START + "getpriority", stacks.ours, re.M)), 2)
toolkit.same("stacks", ("vmlinux`do_syscall_64" in stacks.ours, "`getpriority" in stacks.ours), (True, True))
toolkit.same("of another", toolkit.rows(of_another.ours), [])
