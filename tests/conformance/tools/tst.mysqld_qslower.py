# A program with the probes of MySQL, whose queries take a known time: tools/mysqld_qslower.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with subprocess.Popen([os.environ["BUILD"] + "/tests/workloads/servers"], stdin=subprocess.PIPE) as program:
    with toolkit.Alone("mysqld_qslower", "-p", program.pid, 0) as every, toolkit.Alone("mysqld_qslower", "-p", program.pid, 25) as slow, \
            toolkit.Alone("mysqld_qslower", "-p", os.getpid(), 0) as of_another, toolkit.Alone("dbslower", "-p", program.pid) as databases:
        program.stdin.write(b"xx")
        program.stdin.close()
        for one in every, slow, databases:
            one.shows(r"(?s)(sleep.*){2}")
FAST, SLOW = "select 1", r"select sleep(0.03)\n"
rows = [re.findall(rf"^\S+ \S+ \S+ \S+ +{program.pid} +shop +(\d+\.\d{{3}}) (.*)$", one.ours, re.M) for one in (every, slow)]
toolkit.same("queries", [query for _, query in rows[0]], [FAST, SLOW] * 2)
toolkit.same("times", all(float(ms) >= 30 for ms, query in rows[0] if query == SLOW), True)
toolkit.same("slow ones", [query for _, query in rows[1] if query == SLOW], [SLOW] * 2)
toolkit.same("of another", toolkit.rows(of_another.ours), [])
toolkit.same(f"any database: {databases.ours}", ("No server has reported a query" in databases.ours, databases.ours.count(SLOW)), (False, 2))
