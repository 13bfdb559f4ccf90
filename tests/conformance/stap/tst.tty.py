#!/usr/bin/env python3
# @@host
"""tty.*: what a program does with a pseudo-terminal, and nothing of what it does with a file."""
import os
import subprocess
import sys
import tempfile

PROGRAM = r"""
import fcntl, os, struct, termios
leader, end = os.openpty()
name = os.ttyname(end)
terminal = os.open(name, os.O_RDWR | os.O_NOCTTY)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 1, 2))
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 132, 3, 4))
os.write(terminal, b"seven\r\n")
os.write(leader, b"one line\n")
os.read(terminal, 321)
print("terminal", os.path.basename(name), os.fstat(terminal).st_ino, flush=True)
os.close(terminal)
null = os.open("/dev/null", os.O_WRONLY)
os.write(null, b"no terminal")
"""
SCRIPT = """
probe tty.open { if (pid() == target()) printf("%s %s %d %d %d\\n", name, file_name, inode_number, file_flags & 3, inode_flags >= 0) }
probe tty.release { if (pid() == target()) printf("%s %s %d\\n", name, file_name, inode_number) }
probe tty.write, tty.read { if (pid() == target()) printf("%s %s %s %d %d\\n", name, file_name, driver_name, nr, buffer != 0) }
probe tty.ioctl { if (pid() == target() && cmd == 0x5414) printf("ioctl %s %d\\n", name, arg != 0) }
probe tty.resize {
  if (pid() == target()) printf("resize %s %d %d %d %d %d %d %d %d\\n", name, old_row, old_col, old_xpixel, old_ypixel, new_row, new_col, new_xpixel, new_ypixel)
}
"""
with tempfile.TemporaryDirectory() as directory:
    program = os.path.join(directory, "program.py")
    with open(program, "w") as file:
        file.write(PROGRAM)
    run = subprocess.run([os.environ["STAP"], "-e", SCRIPT, "-c", f"{sys.executable} {program}"], capture_output=True, text=True)
lines = run.stdout.splitlines()
name, inode = next((line.split()[1:] for line in lines if line.startswith("terminal ")), ("?", "?"))
wanted = [f"tty.open {name} {inode} 2 1", f"tty.release {name} {inode}", f"tty.write {name} pty_slave 7 1", "tty.write ptmx pty_master 9 1",
          f"tty.read {name} pty_slave 321 1", f"ioctl {name} 1", f"resize {name} 0 0 0 0 24 80 1 2", f"resize {name} 24 80 1 2 50 132 3 4"]
bad = [f"not seen: {one}" for one in wanted if one not in lines]
if any(line.startswith("tty.") and "null" in line for line in lines):
    bad.append("/dev/null is a terminal")
for one in bad:
    print(one)
if bad:
    print(run.stdout, run.stderr)
sys.exit(1 if bad else 0)
