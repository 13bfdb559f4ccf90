# Signals that are sent, and some that cannot be: tools/killsnoop.d, and bcc's.
import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def send(number, to):
    try:
        os.kill(to, number)
    except OSError as error:
        return number, to, -error.errno
    return number, to, 0


def number_of(word):
    """Ours shows a name; bcc's, and ours for 0, a number."""
    return int(word) if word.isdigit() else int(signal.Signals[word])


def of_mine(text):
    events = re.findall(r" (\d+) +\S+ +(\w+) +(\d+) +(-?\d+)\s*$", text, re.M)
    return [(number_of(word), int(to), int(result)) for by, word, to, result in events
            if int(by) == os.getpid() and number_of(word) not in (signal.SIGURG, signal.SIGINT)]


child = subprocess.Popen(["sleep", "600"])
gone = subprocess.Popen(["true"])
gone.wait()
try:
    with toolkit.Both("killsnoop", live=rf" {int(signal.SIGURG)} +{child.pid} ",
                      meanwhile=lambda: send(signal.SIGURG, child.pid)) as both:
        truth = [send(number, to) for number in (0, signal.SIGWINCH, signal.SIGCHLD) for to in (child.pid, gone.pid)]
        truth.append(send(signal.SIGCONT, child.pid))
        both.wait(rf" SIGCONT +{child.pid} ", rf" {int(signal.SIGCONT)} +{child.pid} ")
    toolkit.same("signals", of_mine(both.ours), truth)

    with toolkit.Alone("killsnoop", "-x", "-p", os.getpid()) as failed, toolkit.Alone("killsnoop", "-s", 28) as chosen, \
            toolkit.Alone("killsnoop", "-T", child.pid) as to_child:
        expected = [send(signal.SIGWINCH, to) for to in (child.pid, gone.pid)]
        descriptor = os.pidfd_open(child.pid)
        signal.pidfd_send_signal(descriptor, signal.SIGWINCH)
        os.close(descriptor)
        send(signal.SIGCONT, gone.pid)
        to_child.shows(rf" SIGWINCH +{child.pid} .*\n.* SIGWINCH +{child.pid} ")
        failed.shows(" SIGCONT ")
    toolkit.same("failed", of_mine(failed.ours), [expected[1], (int(signal.SIGCONT), gone.pid, -3)])
    toolkit.same("to the child", of_mine(to_child.ours), [expected[0], (28, child.pid, 0)])
    toolkit.same("chosen", of_mine(chosen.ours), [*expected, (28, child.pid, 0)])
finally:
    child.kill()
    child.wait()
both.is_compared()
toolkit.same("bcc's", of_mine(both.theirs), truth)
