#!/usr/bin/env python3
# docs/privileges.md says which capabilities each provider needs: every example of its table runs as a user without rights,
# with exactly these; without any one of them it is refused, or says what it cannot name.
# @@timeout: 300
# @@host
import os
import re
import shutil
import subprocess
import sys

dtrace = os.environ['DTRACE']
top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
# In a mount namespace of its own, so that nothing changes for others.
tracefs = {
    'tracepoints, if tracefs is mounted': '[ -e /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing',
    'tracepoints, if tracefs is not mounted': 'for place in /sys/kernel/tracing /sys/kernel/debug/tracing; do '
                                              'while umount -l $place; do :; done; done 2>/dev/null'}


def skip(why):
    print('skipped: ' + why)
    sys.exit(77)


def as_user(caps, words, before=None):
    some = ''.join(',+' + cap.lower() for cap in caps)
    apart = ['unshare', '--mount', 'sh', '-c', before + '; exec "$@"', 'sh'] if before else []
    return subprocess.run(apart + ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', f'--bounding-set=-all{some}',
                           f'--inh-caps=-all{some}', f'--ambient-caps=-all{some}'] + words, cwd='/', stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)


def rows():
    with open(os.path.join(top, 'docs/privileges.md'), encoding='utf-8') as page:
        for line in page:
            found = re.fullmatch(r'\| ([^|`]+|[^|]+) \| (`+)(.+?)\2 \| ([A-Z_, ]+) \|\n', line)
            if found:
                yield found[1], found[3], found[4].split(', ')


def settled(path):
    with open(path, encoding='ascii') as file:
        return int(file.read())


if shutil.which('setpriv') is None:
    skip('no setpriv')
if as_user([], ['test', '-x', dtrace]).returncode != 0:
    skip(f'another user cannot execute {dtrace}')
bounding = int(re.search(r'CapBnd:\t([0-9a-f]+)', open('/proc/self/status', encoding='ascii').read())[1], 16)
if not all(bounding >> bit & 1 for bit in (2, 19, 21, 34, 38, 39)):
    skip('the capabilities of the table cannot be given here')
kptr = settled('/proc/sys/kernel/kptr_restrict')
shows_addresses = kptr == 0 and settled('/proc/sys/kernel/perf_event_paranoid') <= 1
if kptr >= 2:
    skip('the kernel hides its addresses from all')

failures = []
ran = 0
with subprocess.Popen(['sleep', '1000']) as other:
    try:
        for what, example, caps in rows():
            if 'SYSLOG' in caps and shows_addresses:
                caps.remove('SYSLOG')
            words = [dtrace, '-q', '-n', example.replace('$other', str(other.pid))]
            if '$target' in example:
                words += ['-c', '/bin/true']
            ran += 1
            whole = as_user(caps, words, tracefs.get(what))
            if whole.returncode != 0 or whole.stderr:
                failures.append(f'{what}: with {caps}: {whole.returncode} {whole.stderr}')
                continue
            for cap in caps:
                fewer = as_user([one for one in caps if one != cap], words, tracefs.get(what))
                # Names that are missing are said; everything else is refused.
                is_said = re.search('privileges|denied|not permitted|lacks|hidden', fewer.stderr)
                if not is_said or (fewer.returncode == 0 and 'stack(' not in example):
                    failures.append(f'{what}: without {cap}: {fewer.returncode} {fewer.stderr}')
    finally:
        other.kill()
if ran < 15 or not tracefs.keys() <= {what for what, _, _ in rows()}:
    failures.append(f'the table has only {ran} rows')
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
