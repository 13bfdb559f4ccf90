# @@host
# A conversation by TLS between two threads: tools/sslsniff.d.
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

QUESTION, ANSWER = b"question?", b"first line\nsend forged"
if not shutil.which("openssl"):
    print("there is no command openssl")
    sys.exit(toolkit.SKIP)
with tempfile.TemporaryDirectory() as work:
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{work}/key", "-out", f"{work}/cert",
                    "-days", "2", "-subj", "/CN=x"], check=True, capture_output=True)
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(f"{work}/cert", f"{work}/key")
theirs = ssl.create_default_context()
theirs.check_hostname = False
theirs.verify_mode = ssl.CERT_NONE
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()


servers = []


def serve():
    with ours.wrap_socket(server.accept()[0], server_side=True) as peer:
        servers.append(threading.get_native_id())
        peer.recv(100)
        end = time.monotonic() + 60
        while not open(f"/proc/self/task/{os.getpid()}/syscall").read().startswith("0 ") and time.monotonic() < end:  # read()
            time.sleep(0.001)
        time.sleep(0.05)
        peer.sendall(ANSWER)


with toolkit.Alone("sslsniff", "-p", os.getpid()) as mine, toolkit.Alone("sslsniff", "-c", "no-such") as of_another, \
        toolkit.Alone("sslsniff", "-c", "python", "-x", "-l", "-u", os.getuid(), "-p", os.getpid()) as of_user, toolkit.Alone("sslsniff", "-u", 54321) as of_nobody:
    thread = threading.Thread(target=serve)
    thread.start()
    with theirs.wrap_socket(socket.create_connection(server.getsockname())) as client:
        client.sendall(QUESTION)
        client.recv(100)
        thread.join()
    mine.shows(r"^receive .* first line")
    of_user.shows(r"^receive .* first line")
rows = re.findall(rf"^(\w+) +\d{{4}} .* {os.getpid()} +\S+ +(\d+) (.*)$", mine.ours, re.M)
answer = ANSWER.decode().replace("\n", "\\n")
toolkit.same("data", sorted(rows), sorted((what, str(len(data)), shown) for data, shown in ((QUESTION, QUESTION.decode()), (ANSWER, answer))
                                          for what in ("send", "receive")))
# With the user, the thread and the time, of a reply that the client waited for.
of_both = re.findall(rf"^(\w+) +\d{{4}} \w+ \d+ [\d:]+ {os.getuid()} +(\d+) +{os.getpid()} +\S+ +(\d+) +(\d+\.\d{{3}}) (.*)$", of_user.ours, re.M)
toolkit.same(f"extra: {of_user.ours}", sorted((what, size, data) for what, _, size, _, data in of_both), sorted(rows))
toolkit.same("threads", {int(thread) for what, thread, *_ in of_both}, {os.getpid(), *servers})
toolkit.same("times", [late for what, _, _, late, data in of_both if what == "receive" and data == answer and float(late) < 50], [])
toolkit.same("of another", toolkit.rows(of_another.ours), [])
toolkit.same("of the user", len(toolkit.rows(of_user.ours)), len(rows))
toolkit.same("of another user", toolkit.rows(of_nobody.ours), [])
