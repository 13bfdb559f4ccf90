#!/usr/bin/env python3
# @@host
"""What scripts that users have published name: each of these is there, and says what was done."""
import os
import re
import subprocess
import sys
import tempfile

STAP = os.environ["STAP"]
PROGRAM = r"""
import os, signal, socket, sys
path = sys.argv[1]
fd = os.open(path, os.O_RDWR | os.O_CREAT)
os.write(fd, b"1234567")
os.lseek(fd, 0, 0)
os.read(fd, 7)
try:
    os.open(path + "/none", os.O_RDONLY)
except OSError:
    pass
a, b = socket.socketpair()
a.send(b"x" * 41)
b.recv(42)
to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to.bind(("127.0.0.1", 0))
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.sendto(b"x" * 43, to.getsockname())
to.recvfrom(44)
signal.signal(signal.SIGUSR1, lambda number, frame: None)
os.kill(os.getpid(), signal.SIGUSR1)
if os.fork() == 0:
    os._exit(0)
os.wait()
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen(1)
client = socket.create_connection(listening.getsockname())
server, _ = listening.accept()
client.send(b"x" * 10)
server.recv(10)
sys.stderr.write(f"{listening.getsockname()[1]} {client.getsockname()[1]}\n")
"""
bad = 0


def fail(what):
    global bad
    bad = 1
    print("FAILED:", what)


def same(what, is_so, wanted):
    if is_so != wanted:
        fail(f"{what}: {is_so!r}, wanted {wanted!r}")


def run(script, command=None, options=()):
    words = [STAP, *options, "-e", script] + (["-c", command] if command else [])
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        fail(f"status {done.returncode}: {script}\n{done.stdout}{done.stderr}")
    return done


# Tools look for the version of the language before they run a script.
version = subprocess.run([STAP, "--version"], capture_output=True, text=True, timeout=60).stdout
same("the version", re.search(r"version\s+(\d+\.\d+)", version).group(1), "5.0")

CALLS = r"""
probe vfs.read {
  if (pid() == target() && bytes_to_read == 7)
    printf("%s %s %s %d %d\n", name, pathname, __file_filename($file), $file == file, ino)
}
probe vfs.write.return { if (pid() == target() && ret == 7) printf("%s %s %d\n", name, pathname, ino) }
probe vfs.open { if (pid() == target() && filename == "its-file") printf("%s %d\n", name, ino) }
probe syscall.send, syscall.recv.return { if (pid() == target()) printf("%s %s %d\n", pp(), name, @choose_defined($len, $size)) }
probe signal.send.return { if (pid() == target() && sig == 10) printf("%s %s %s\n", name, sig_name, retstr) }
probe syscall.kill {
  if (pid() == target()) {
    task = @choose_defined($nosuch, @cast(task_current(), "task_struct"))->tgid
    letter = @choose_defined($nosuch, @cast(task_current(), "task_struct"))->comm[0]
    printf("%d %c\n", task == pid(), letter)
  }
}
"""
# Of processes that have ended when their names are printed.
ENDED = r"""
global names, numbers, parents
probe syscall.exit_group {
  if (!target_set_pid(pid())) next
  names[pid()] = pid2execname(pid())
  numbers[pid()] = task_pid(pid2task(pid()))
  parents[pid()] = pid2execname(ppid())
}
probe end { foreach (id+ in names) if (id != target()) println(names[id], " ", numbers[id] == id, " ", parents[id]) }
"""
PACKETS = r"""
probe tcp.ipv4.receive { if (saddr == "127.0.0.1") printf("%s %d %d %d\n", name, sport, dport, syn) }
probe tcp.ipv6.receive { if (saddr == "127.0.0.1") println("not of IPv6") }
probe kernel.trace("net:netif_receive_skb") {
  header = __get_skb_iphdr($skb)
  if (@cast(header, "iphdr")->version == 4 && __ip_skb_proto(header) == 6) {
    tcp = header + 20
    printf("skb %s %d %d %d\n", format_ipaddr(__ip_skb_saddr(header), 2), __tcp_skb_sport(tcp), __tcp_skb_dport(tcp),
           __tcp_skb_syn(tcp))
  }
}
"""
with tempfile.TemporaryDirectory() as directory:
    program, path = directory + "/program.py", directory + "/its-file"
    with open(program, "w") as file:
        file.write(PROGRAM)
    command = f"{sys.executable} {program} {path}"
    lines = run(CALLS, command).stdout.splitlines()
    number = os.stat(path).st_ino
    same("calls", lines, [
        f"vfs.open {number}", f"vfs.write {path} {number}", f"vfs.read {path} its-file 1 {number}",
        "syscall.sendto send 41", "syscall.recvfrom.return recv 42", "1 p", "signal_generate SIGUSR1 0",
        "syscall.sendto send 10", "syscall.recvfrom.return recv 10"])
    lines = run(ENDED, f"sh -c '/bin/true; {command}'").stdout.splitlines()
    same("processes that have ended", [re.sub(r"python3?[\d.]*", "python", line) for line in lines],
         ["true 1 sh", "python 1 sh", "python 1 python"])
    done = run(PACKETS, command)
    ports = [int(word) for word in done.stderr.split()[:2]]
    lines = [line.split() for line in done.stdout.splitlines()]
    for name in "tcp.ipv4.receive", "skb":
        syn = [line[-3:] for line in lines if line[0] == name and line[-1] == "1" and str(ports[0]) in line]
        same(name, syn, [[str(ports[1]), str(ports[0]), "1"], [str(ports[0]), str(ports[1]), "1"]])
    same("of IPv6", [line for line in lines if line[0] == "not"], [])

# Members that the kernel has renamed since. Both are read, and a wakeup may change the state between the two reads.
done = run("""global n, same
probe kernel.trace("sched_switch") { if ($prev->state == $prev->__state) same++ n++ }
probe timer.ms(200) { if (n > 10) exit() }
probe end { if (same * 2 < n) error("another member") }""")
same("what a member was called", done.stderr, "")
sys.exit(bad)
