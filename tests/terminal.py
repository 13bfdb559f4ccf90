"""A command whose standard input and output are a terminal."""
import os
import pty
import subprocess


def on_terminal(argv, errors=subprocess.PIPE, timeout=60, prepare=None):
    """What it writes to the terminal, what to standard error, and its exit status. `errors=subprocess.STDOUT`: standard
    error is the terminal, too. `prepare` is called with the terminal before the command starts."""
    leader, follower = pty.openpty()
    if prepare is not None:
        prepare(follower)
    process = subprocess.Popen(argv, stdin=follower, stdout=follower, stderr=errors)
    os.close(follower)
    out = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        out += part
    os.close(leader)
    _, said = process.communicate(timeout=timeout)
    return out, said, process.returncode
