# @@timeout: 240
# Every operation on files that the kernel shows, of a program that knows how often it did each to what, and how
# many bytes it moved; and what is not such an operation.
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE  # noqa: E402

WORK = r"""
import ctypes, fcntl, os, stat, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
top = sys.argv[1]
a, b, s, k, p = (top + "/" + name for name in "abskp")
fd = os.open(a, os.O_CREAT | os.O_RDWR, 0o644)
for i in range(7): os.write(fd, b"x" * 100)
for i in range(3): os.writev(fd, [b"y" * 10, b"z" * 20])
os.pwrite(fd, b"q" * 5, 0)
os.lseek(fd, 0, os.SEEK_SET)
for i in range(4): os.read(fd, 50)
for i in range(2): os.readv(fd, [bytearray(10), bytearray(20)])
os.pread(fd, 10, 100000)
for i in range(3): os.fstat(fd)
for i in range(2): os.stat(a)
for flags in (os.O_APPEND, 0): fcntl.fcntl(fd, fcntl.F_SETFL, flags)
fcntl.fcntl(fd, fcntl.F_GETFL)
lock = struct.pack("hhllihl", fcntl.F_WRLCK, 0, 0, 0, 0, 0, 0)
for command in (fcntl.F_SETLK, fcntl.F_GETLK, fcntl.F_SETLKW): fcntl.fcntl(fd, command, lock)
for i in range(3): fcntl.ioctl(fd, 0x541b, b"        ")  # FIONREAD
libc.fallocate(fd, 0, ctypes.c_long(0), ctypes.c_long(8192))
libc.mmap.restype = ctypes.c_void_p
for i in range(2): libc.mmap(None, ctypes.c_size_t(4096), 1, 2, fd, ctypes.c_long(0))
libc.mmap(None, ctypes.c_size_t(4096), 1, 0x22, -1, ctypes.c_long(0))
os.ftruncate(fd, 10)
os.chmod(a, 0o640)
os.utime(a)
rights = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", tag, 6, 0xffffffff) for tag in (1, 4, 32))
os.setxattr(a, "system.posix_acl_access", rights)
for i in range(2):
    try: os.getxattr(a, "system.posix_acl_access")
    except OSError: pass  # it was no more than the mode says
for i in range(3): os.access(a, os.R_OK)
for i in range(2): os.close(os.open(a, os.O_RDONLY))
os.close(os.open(a, os.O_PATH))
os.close(fd)
os.link(a, b)
os.symlink("a", s)
for i in range(2): os.readlink(s)
os.mkdir(k)
try: os.mkdir(k)
except FileExistsError: pass
os.rename(a, k + "/a")
os.rename(k + "/a", a)
try: os.rename(k + "/a", b)
except FileNotFoundError: pass
fd = os.open(top, os.O_DIRECTORY)
for i in range(2): libc.syscall(217, fd, ctypes.create_string_buffer(4096), 4096)  # getdents64
os.close(fd)
os.mknod(p, stat.S_IFIFO | 0o600)
handle, mount = ctypes.create_string_buffer(struct.pack("Ii", 128, 0), 136), ctypes.c_int()
libc.name_to_handle_at(-100, a.encode(), handle, ctypes.byref(mount), 0)
for path in (a, b, s, p): os.unlink(path)
os.rmdir(k)
"""


def truth(top):
    a = top + "/a"
    # Three by access(), and one for each open(), of a new file too.
    return {("access", a): (6, 0), ("access", top): (1, 0), ("close", a): (3, 0), ("close", top): (1, 0),
            ("create", a): (1, 0), ("create", top + "/p"): (1, 0), ("fid", a): (1, 0), ("frlock", a): (3, 0),
            ("getattr", a): (5, 0), ("getsecattr", a): (2, 0), ("ioctl", a): (3, 0),
            ("link", top): (1, 0), ("map", a): (2, 0), ("mkdir", top + "/k"): (1, 0), ("open", a): (3, 0),
            ("open", top): (1, 0), ("read", a): (7, 260), ("readdir", top): (2, 0), ("readlink", top + "/s"): (2, 0),
            ("remove", top): (4, 0), ("rename", top): (1, 0), ("rename", top + "/k"): (1, 0), ("rmdir", top): (1, 0),
            ("setattr", a): (3, 0), ("setfl", a): (2, 0), ("setsecattr", a): (1, 0), ("space", a): (1, 0),
            ("symlink", top): (1, 0), ("write", a): (11, 795)}


# What cannot be told where there are no functions, but system calls: what they know by a path only.
OF_PATHS = {"access", "fid", "getattr", "getsecattr", "link", "mkdir", "readlink", "remove", "rename", "rmdir", "setattr",
            "setsecattr", "symlink"}


def truth_of_calls(top):
    known = {key: value for key, value in truth(top).items() if key[0] not in OF_PATHS}
    del known["create", top + "/p"]  # mknod() has a path
    return {**known, ("seek", top + "/a"): (1, 0)}


def dtrace(*arguments):
    return subprocess.run([DTRACE, *arguments], capture_output=True, text=True)


def trace(top):
    # The file is made by the translator in each probe; its file system and flags, too.
    script = """fsinfo::: /pid == $target/ {
        @n[probename, args[0]->fi_pathname] = count(); @b[probename, args[0]->fi_pathname] = sum(args[1]); }
    fsinfo:::read /pid == $target && args[0]->fi_name == "a"/ {
        @o[args[0]->fi_dirname, args[0]->fi_fs, args[0]->fi_mount, args[0]->fi_oflags & 3] = max(args[0]->fi_offset); }
    END { printa("n %s %s %@d\\n", @n); printa("b %s %s %@d\\n", @b); printa("o %s %s %s %d %@d\\n", @o); }"""
    return dtrace("-q", "-c", f"{sys.executable} {top}/work.py {top}/d", "-n", script)


def check(top, listed):
    os.mkdir(f"{top}/d")
    done = trace(top)
    os.rmdir(f"{top}/d")
    if done.returncode or "drop" in done.stderr:
        return done.stderr or "no words"
    lines = [line.split() for line in done.stdout.splitlines() if line.strip()]
    seen = {kind: {(line[1], line[2]): int(line[-1]) for line in lines if line[0] == kind and len(line) == 4}
            for kind in "nb"}
    known = truth_of_calls if "seek" in listed else truth
    wanted = {key: value for key, value in known(top + "/d").items() if key[0] in listed}
    found = {key: (n, seen["b"][key]) for key, n in seen["n"].items() if key[1].startswith(top + "/d")}
    for key in sorted(wanted.keys() | found.keys()):
        if wanted.get(key) != found.get(key):
            return f"{key}: wanted {wanted.get(key)}, found {found.get(key)}"
    mount = next(line.split() for line in reversed(open("/proc/mounts").readlines())
                 if (top + "/").startswith(line.split()[1].rstrip("/") + "/"))
    opened = [line[1:] for line in lines if line[0] == "o" and line[1] == top + "/d"]
    # The last was read at the end: 200 and two by 30 were read before it.
    return "" if opened == [[top + "/d", mount[2], mount[1], "2", "260"]] else f"file {opened}, mount {mount}"


def main():
    lists = dtrace("-l", "-P", "fsinfo")
    assert lists.returncode == 0, lists.stderr
    listed = {line.split()[-1] for line in lists.stdout.splitlines()[1:]}
    by_calls = "seek" in listed
    for probe, why in (("mkdir", "does not let its functions") if by_calls else ("seek", "so small"),
                       ("lookup", "cache of them"), ("vnevent", "no such operation")):
        refused = dtrace("-l", "-n", f"fsinfo:::{probe}")
        assert refused.returncode == 1 and why in refused.stderr, refused.stderr
    absent = {key[0] for key in truth("")} - listed
    # Before Linux 6.2 lists of rights are attributes like others.
    assert absent == OF_PATHS if by_calls else absent <= {"getsecattr", "setsecattr"}, absent
    why = ""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.ismount("/dev/shm") else None) as top:
        with open(top + "/work.py", "w") as work:
            work.write(WORK)
        while "drop" in (why := check(top, listed)):
            again(why)
    print(why or f"{len(listed)} operations")
    return 1 if why else 0


sys.exit(main())
