#!/usr/bin/env python3
# @@host
"""With input.char, the terminal passes each key; when stap ends, it is as it was, after kill -9, too, unless somebody
else has changed it in the meantime."""
import os
import pty
import signal
import subprocess
import sys
import termios
import time

SCRIPT = 'probe input.char { printf("<%s>", char) if (char == "q") exit() } probe begin { println("ready") }'


def wait_for(what, holds):
    for _ in range(2000):
        if holds():
            return
        time.sleep(0.01)
    sys.exit(f"{what}: waited in vain")


def mode(terminal):
    return termios.tcgetattr(terminal)


def is_line_by_line(terminal):
    return bool(mode(terminal)[3] & termios.ICANON)


def take_terminal():
    os.setsid()
    os.close(os.open(os.ttyname(0), os.O_RDWR))  # becomes the terminal of this session


def guardian_of(pid):
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii") as file:
                words = file.read().split()
        except OSError:
            continue
        if words[1] == "(dtrace-guardian)" and words[3] == str(pid):
            return int(name)
    return None


def has_ended(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().split()[2] == "Z"
    except OSError:
        return True


def run(end):
    """The modes of the terminal before and after a run that ends so."""
    main, terminal = pty.openpty()
    before = mode(terminal)
    with subprocess.Popen([os.environ["STAP"], "-e", SCRIPT], stdin=terminal, stdout=subprocess.PIPE,
                          preexec_fn=take_terminal) as stap:
        assert stap.stdout.readline() == b"ready\n"
        wait_for("single keys", lambda: not is_line_by_line(terminal))
        # It has its name a moment after its start.
        wait_for("a guardian", lambda: guardian_of(stap.pid))
        guardian = guardian_of(stap.pid)
        end(stap, main, terminal)
        stap.wait()
        wait_for("the end of the guardian", lambda: has_ended(guardian))
    after = mode(terminal)
    os.close(main)
    os.close(terminal)
    return before, after


def press(_stap, main, _terminal):
    os.write(main, b"q")


def kill(stap, _main, _terminal):
    stap.send_signal(signal.SIGKILL)


def change_and_kill(stap, _main, terminal):
    other = mode(terminal)
    other[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, other)
    kill(stap, _main, terminal)


before_press, after_press = run(press)
assert before_press == after_press, after_press
before_kill, after_kill = run(kill)
assert before_kill == after_kill, after_kill
_, after_change = run(change_and_kill)
assert not after_change[3] & (termios.ECHO | termios.ICANON), after_change
