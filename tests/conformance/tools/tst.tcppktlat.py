# Data that lies in a socket for a known time: tools/tcppktlat.d.
import os
import re
import socket
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with socket.create_server(("127.0.0.1", 0)) as server:
    port = server.getsockname()[1]
    client = socket.create_connection(("127.0.0.1", port))
    accepted, address = server.accept()
    with toolkit.Alone("tcppktlat", "-l", port) as every, toolkit.Alone("tcppktlat", "-r", address[1], 30000) as slow, \
            toolkit.Alone("tcppktlat", "-w", "-p", os.getpid()) as histogram, \
            toolkit.Alone("tcppktlat", "-l", port, "-p", 1) as of_another:
        waited = []
        for seconds in 0.04, 0, 0.06:
            before = time.monotonic()
            client.sendall(b"x" * 100)
            time.sleep(seconds)
            accepted.recv(1000)
            waited.append(1000 * (time.monotonic() - before))
        every.shows(r"(.* 127\.0\.0\.1 .*\n){3}")
    client.close()
    accepted.close()
ROW = rf"^{os.getpid()} +{os.getpid()} +\S+ +127\.0\.0\.1 +{port} 127\.0\.0\.1 +{address[1]} +(\d+\.\d{{3}})$"
times = [float(ms) for ms in re.findall(ROW, every.ours, re.M)]
toolkit.same(f"reads: {times} of {waited}", len(times) == 3 and times[0] >= 40 and times[2] >= 60 and
             all(ours <= ms for ours, ms in zip(times, waited)), True)
late = [float(ms) for ms in re.findall(ROW, slow.ours, re.M)]
toolkit.same(f"slow ones: {late}", len(late) >= 2 and min(late) >= 30, True)
toolkit.same("counted", toolkit.counted(histogram.ours) >= 3, True)
toolkit.same("of another", toolkit.rows(of_another.ours), [])
toolkit.same(f"a histogram has no columns: {histogram.ours}", "LADDR" in histogram.ours, False)
