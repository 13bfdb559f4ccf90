"""Does a little of everything, again and again, until it is ended: files, processes, memory, disks, sockets, signals.
What it does is what the one-liners of docs/one-liners.md look at. It ends by itself after five minutes."""
import mmap
import os
import signal
import socket
import tempfile
import threading
import time

END_S = 300


def files(directory):
    path = os.path.join(directory, "a file")
    with open(path, "wb") as file:
        file.write(b"x" * 20000)
        file.flush()
        os.fsync(file.fileno())
    with open(path, "rb") as file:
        file.read()
    os.rename(path, path + " with another name")
    os.stat(path + " with another name")
    os.listdir(directory)
    os.unlink(path + " with another name")
    for name in ("/nonexistent", "/proc/1/no/such/file"):
        try:
            os.close(os.open(name, os.O_RDONLY))
        except OSError:
            pass


def disk(directory):
    """A read and a write that the page cache cannot answer."""
    path = os.path.join(directory, "direct")
    page = mmap.mmap(-1, 4096)
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_DIRECT, 0o600)
    except OSError:
        return  # this file system has no direct I/O
    os.writev(fd, [page])
    os.preadv(fd, [page], 0)
    os.close(fd)


def processes():
    os.system("/bin/true; sh -c 'kill -TERM $$' 2>/dev/null; /bin/ls /nonexistent 2>/dev/null")


def memory():
    page = mmap.mmap(-1, 1 << 20)
    for at in range(0, 1 << 20, 4096):
        page[at] = 1
    page.close()


def sockets():
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname())
    other, _ = server.accept()
    client.sendall(b"a question")
    other.recv(100)
    other.sendall(b"an answer" * 100)
    client.recv(1000)
    for one in (client, other, server):
        one.close()
    with socket.socket() as refused:
        try:
            refused.connect(("127.0.0.1", 1))
        except OSError:
            pass
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.sendto(b"a datagram", ("127.0.0.1", 53))


def compute():
    until = time.monotonic() + 0.02
    while time.monotonic() < until:
        pass


def main():
    signal.alarm(END_S)
    print("begins", flush=True)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as directory:
        # A flag: an exception that a handler raises is lost where a destructor runs at that moment.
        is_over = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: is_over.set())
        while not is_over.is_set():
            files(directory)
            disk(directory)
            processes()
            memory()
            sockets()
            thread = threading.Thread(target=compute)
            thread.start()
            thread.join()


main()
