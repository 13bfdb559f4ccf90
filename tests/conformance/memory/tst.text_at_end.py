"""A text that ends at the end of a mapping: copyinstr() with a limit reads no byte behind its characters."""
import os
import subprocess
import sys

WORK = r"""
import ctypes, mmap
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
page = mmap.PAGESIZE
start = libc.mmap(None, ctypes.c_size_t(2 * page), mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, ctypes.c_long(0))
libc.munmap(ctypes.c_void_p(start + page), ctypes.c_size_t(page))
ctypes.memmove(start + page - 5, b"hello", 5)
libc.write(-1, ctypes.c_void_p(start + page - 5), ctypes.c_size_t(5))
ctypes.memmove(start + page - 5, b"he\0lo", 5)
libc.write(-1, ctypes.c_void_p(start + page - 5), ctypes.c_size_t(5))
"""
SCRIPT = """
syscall::write:entry /pid == $target && arg2 == 5 && (int)arg0 == -1/ { printf("[%s]", copyinstr(arg1, arg2)); }
syscall::write:entry /pid == $target && arg2 == 5 && (int)arg0 == -1/ { printf("[%s]", copyinstr(arg1, 5)); }
syscall::write:entry /pid == $target && arg2 == 5 && (int)arg0 == -1/ { printf("[%s]", copyinstr(arg1, 0)); }
syscall::write:entry /pid == $target && arg2 == 5 && (int)arg0 == -1/ { printf("[%s]", copyinstr(arg1, arg2 + 1)); }
ERROR { printf("fault %d;", arg4); }
"""

done = subprocess.run([os.environ["DTRACE"], "-q", "-n", SCRIPT, "-c", f"{sys.executable} -c '{WORK}'"], stdin=subprocess.DEVNULL,
                      capture_output=True, text=True, timeout=100)
wanted = "[hello][hello][]fault 1;[he][he][][he]"
if done.returncode != 0 or done.stdout.strip() != wanted:
    sys.exit(f"exit status {done.returncode}, {done.stdout!r} instead of {wanted!r}: {done.stderr}")
