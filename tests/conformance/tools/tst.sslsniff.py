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


def serve():
    with ours.wrap_socket(server.accept()[0], server_side=True) as peer:
        peer.recv(100)
        peer.sendall(ANSWER)


with toolkit.Alone("sslsniff", "-p", os.getpid()) as mine, toolkit.Alone("sslsniff", "-n", "no-such") as of_another, \
        toolkit.Alone("sslsniff", "-u", os.getuid(), "-p", os.getpid()) as of_user, toolkit.Alone("sslsniff", "-u", 54321) as of_nobody:
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
toolkit.same("of another", toolkit.rows(of_another.ours), [])
toolkit.same("of the user", len(toolkit.rows(of_user.ours)), len(rows))
toolkit.same("of another user", toolkit.rows(of_nobody.ours), [])
