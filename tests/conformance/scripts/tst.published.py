#!/usr/bin/env python3
# @@host
"""Scripts in the style of those of books and blogs, about a program that does a known number of things.

Of what depends on the machine (disks, locks, faults), a script only has to compile, run and end: it prints k.
"""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check

directory = tempfile.TemporaryDirectory()
T = directory.name
with open(f"{T}/w.py", "w", encoding="utf-8") as file:
    file.write("""
import os
os.chdir(os.path.dirname(__file__))
open("f", "w").write("x" * 1000)
fd = os.open("f", os.O_RDWR)
for i in range(10):
    os.pread(fd, 100, 0)
for i in range(5):
    os.pwrite(fd, b"y" * 10, 0)
for i in range(3):
    try:
        os.open("/nonexistent/x", 0)
    except OSError:
        pass
for i in range(4):
    if os.fork() == 0:
        os._exit(3)
    os.wait()
for i in range(2):
    if os.fork() == 0:
        os.execv("/bin/true", ["true"])
    os.wait()
os.kill(os.getpid(), 0)
os.close(fd)
""")
W = f"python3 {T}/w.py"
C = []


def t(script, wanted, command=W, options=()):
    # What a program has not touched yet cannot be read when its call begins: names of its loader's files, perhaps.
    err = None if "copyinstr" in script else ""
    C.append(Case(script, re.compile(wanted), list(options) + (["-c", command] if command else []), err=err))


t('syscall:::entry/pid==$target/{@[probefunc]=count();} END{printa("%s=%@d\\n",@);}', r"(?s).*\bpread64=10\n.*")  # syscount by name
t('syscall::pread64:return/pid==$target && arg0>0/{@["bytes"]=sum(arg0);@n=count();} END{printa("%s %@d\\n",@);printa("%@d\\n",@n);}', r"bytes 1000\n10\n\n")  # pread sizes
t('syscall::pread64:return/pid==$target/{@=quantize(arg0);}', r"(?s).*\n +64 \|@{40} 10 .*")  # pread quantize
t('syscall::pread64:entry/pid==$target/{@[fds[arg0].fi_pathname]=count();} END{printa("%s %@d\\n",@);}', r"" + re.escape(T) + r"/f 10\n\n")  # by fd path
t('syscall::pwrite64:entry/pid==$target/{@[fds[arg0].fi_name,fds[arg0].fi_fs,fds[arg0].fi_mount]=count();} END{printa("%s %s %s %@d\\n",@);}', r"f \w+ / 5\n\n|f \w+ \S+ 5\n\n")  # fi_name
t('syscall:::entry/pid==$target/{self->ts=timestamp;} syscall:::return/self->ts/{@t[probefunc]=avg(timestamp-self->ts);@c[probefunc]=count();self->ts=0;} END{printa("%s %@d\\n",@c);}', r"(?s).*pread64 10\n.*")  # latency by name
t('syscall::open*:entry/pid==$target/{self->p=copyinstr(probefunc=="openat"?arg1:arg0);} syscall::open*:return/self->p!=NULL && (int)arg0<0 && errno==ENOENT/{@[self->p,errno]=count();} syscall::open*:return{self->p=0;} END{printa("%s %d %@d\\n",@);}', r"(?s).*/nonexistent/x 2 3\n.*")  # failed opens
t('syscall:::return/pid==$target && errno/{@[probefunc,errno]=count();} END{printa("%s %d %@d\\n",@);}', r"(?s).*openat 2 \d+\n.*")  # errinfo
t('proc:::create/pid==$target/{@=count();} END{printa("%@d\\n",@);}', r"6\n\n")  # forks
t('proc:::exit/ppid==$target || progenyof($target)/{@[args[0]]=count();} END{printa("%d %@d\\n",@);}', r"1 7\n\n")  # exits
t('proc:::exec-success/progenyof($target)/{printf("%s\\n",execname);}', r"true\ntrue\n\n")  # exec-success
t('proc:::exec/progenyof($target)/{printf("%s\\n",stringof(args[0]));}', r"/bin/true\n/bin/true\n\n")  # exec path
t('proc:::exec/progenyof($target) && args[0] == "/bin/true"/{trace(args[0]);trace(strlen(args[0]));x=args[0];@[x]=count();}', r"/bin/true9/bin/true9\n  /bin/true +2\n")  # it is a string
t('proc:::exec-success/progenyof($target)/{trace(curpsinfo->pr_psargs);}', r"truetrue\n")  # newproc
t('syscall::exit_group:entry/progenyof($target)/{@[(int)arg0]=count();} END{printa("%d %@d\\n",@);}', r"3 4\n0 3\n\n|0 3\n3 4\n\n")  # exit status
t('syscall::openat:entry/pid==$target/{self->spec=speculation();speculate(self->spec);printf("%s",copyinstr(arg1));} syscall::openat:return/self->spec && errno==0/{discard(self->spec);self->spec=0;} syscall::openat:return/self->spec && errno!=0/{commit(self->spec);self->spec=0;} ', r"(?s).*(/nonexistent/x){3}\n$", options=["-xnspec=4"])  # speculate failing open
t('proc:::signal-send/pid==$target/{@[args[2]]=count();}', r"(?s).*")  # signal-send
t('syscall::kill:entry/pid==$target/{printf("%d %d\\n",arg0==$target,arg1);}', r"1 0\n\n")  # kill
t('syscall::pread64:entry/pid==$target/{self->t=1;} syscall::pread64:return/self->t/{self->t=0;@=count();} END{printa("%@d\\n",@);}', r"10\n\n")  # flow
t('pid$target:libc.so.6:pread*:entry{@[probefunc]=count();} END{printa("%s %@d\\n",@);}', r"pread\w* 10\n\n")  # pid libc
t('pid$target:libc.so.6:pread64:entry{self->s=timestamp;} pid$target:libc.so.6:pread64:return/self->s/{@=count();@l=quantize(timestamp-self->s);self->s=0;} END{printa("%@d\\n",@);trunc(@l);}', r"10\n\n")  # pid entry return
t('pid$target:libc.so.6:malloc:entry{@=count();@s=sum(arg0);} END{printf("%s\\n","ok");}', r"(?s)ok\n.*")  # pid malloc sizes
t('syscall::pread64:entry/pid==$target/{@[ustack(1)]=count();}', r"(?s).*libc.so.6`\S*pread\S*\n +10\n")  # ustack
t('syscall::pread64:entry/pid==$target/{@[stack()]=count();}', r"(?s).*10\n")  # stack
t('profile-997/pid==$target && arg1/{@["user"]=count();} profile-997/pid==$target && arg0/{@["kernel"]=count();}', r"(?s).*", command="python3 -c 'for i in range(3000000): pass'")  # profile
t('sched:::off-cpu/pid==$target/{self->ts=timestamp;} sched:::on-cpu/self->ts/{@[execname]=sum((timestamp-self->ts)/1000000);self->ts=0;} END{printa("%s %@d\\n",@);}', r"sleep \d{3,}\n\n", command="sleep 0.15")  # offcpu
t('sched:::sleep/pid==$target/{@=count();} END{printa("%@d\\n",@);}', r"[1-9]\d*\n\n", command="sleep 0.05")  # sched sleep
t('syscall::pread64:entry/pid==$target/{@[tid==pid]=count();} END{printa("%d %@d\\n",@);}', r"1 10\n\n")  # tid
t('syscall::pread64:entry/execname=="python3"&&pid==$target/{@=count();} END{printa("%@d\\n",@);}', r"10\n\n")  # execname
t('syscall::pread64:entry/pid==$target/{@[curpsinfo->pr_psargs,curpsinfo->pr_fname]=count();} END{printa("%s|%s|%@d\\n",@);}', r"python3 " + re.escape(T) + r"/w.py\|python3\|10\n\n")  # curpsinfo
t('syscall::pread64:entry/pid==$target/{@[uid,gid,curpsinfo->pr_euid,zonename!=""]=count();} END{printa("%d %d %d %@d\\n",@);}', r"0 0 0 10\n\n")  # uid
t('BEGIN{printf("%Y",walltimestamp);exit(0);}', r"\d{4} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d\n", command=None)  # walltime
t('syscall::pread64:entry/pid==$target/{self->v=vtimestamp;} syscall::pread64:return/self->v/{@=min(vtimestamp-self->v);self->v=0;} END{printa("%@d\\n",@);}', r"\d+\n\n")  # vtimestamp
t('syscall::pread64:entry/pid==$target/{@[cpu]=count();@c=count();} END{trunc(@);printa("%@d\\n",@c);}', r"10\n\n")  # cpu
t('syscall::pwrite64:entry/pid==$target/{printf("%s\\n",stringof(copyin(arg1,arg2)));}', r"(yyyyyyyyyy\n){5}\n")  # copyin buf
t('syscall::pwrite64:entry/pid==$target/{tracemem(copyin(arg1,8),8);exit(0);}', r"(?s).*0: 79 79 79 79 79 79 79 79 .*yyyyyyyy\n.*")  # tracemem
t('syscall::pread64:entry/pid==$target/{raise(SIGKILL);}', r"\n", options=["-w"])  # raise
t('syscall::kill:entry/pid==$target/{system("echo from %d",pid==$target);}', r"from 1\n\n", options=["-w"])  # system
t('syscall::kill:entry/pid==$target/{stop();system("kill -CONT %d",pid);printf("s");}', r"s\n", options=["-w"])  # stop prun
t('io:::start/args[0]->b_bcount>0/{@[args[1]->dev_statname]=sum(args[0]->b_bcount);} END{printf("k");trunc(@);}', r"k\n")  # io
t('lockstat:::*-block{@[probename]=count();} END{printf("k");trunc(@);}', r"k\n", command="true", options=["-Z"])  # lockstat
t('vminfo:::as_fault/pid==$target/{@=sum(arg0);} END{printf("%s","k");trunc(@);}', r"k\n")  # vminfo
t('sysinfo:::sysread/pid==$target/{@=sum(arg0);} sysinfo:::readch/pid==$target/{@b=sum(arg0);} END{printa("%@d ",@);trunc(@b);}', r"\d+ \n")  # sysinfo
t('tcp:::connect-established/pid==$target||1/{@[args[3]->tcps_rport==22222||1]=count();} END{printf("k");trunc(@);}', r"k\n", command="true")  # tcp connect
t('syscall::pread64:return/pid==$target/{@a=avg(arg0);@s=stddev(arg0);@m=max(arg0);@n=min(arg0);} END{printa("%@d %@d %@d %@d\\n",@a,@s,@m,@n);}', r"100 0 100 100\n\n")  # stddev etc
t('syscall::pread64:return/pid==$target/{@=lquantize(arg0,0,200,50);}', r"(?s).*\n +100 \|@{40} 10 .*")  # lquantize
t('syscall::pread64:return/pid==$target/{@=llquantize(arg0,10,0,4,10);}', r"(?s).*\n +100 \|@{40} 10 .*")  # llquantize
t('syscall:::entry/pid==$target/{@[probefunc]=count();} END{trunc(@,1);printa("%s\\n",@);}', r"\w+\n\n")  # top
t('BEGIN{s=timestamp;} syscall::pread64:entry/pid==$target/{@=count();} END{normalize(@,1);printa("%@d\\n",@);}', r"10\n\n")  # normalize rate
t('BEGIN{printf("%-20s %10s\\n","NAME","COUNT");} syscall::pread64:entry/pid==$target/{@[probefunc]=count();} END{printa("%-20s %@10d\\n",@);}', r"NAME +COUNT\npread64 +10\n\n")  # header printf
t('syscall::pread64:entry/pid==$target/{start[tid]=timestamp;} syscall::pread64:return/start[tid]/{@=count();start[tid]=0;} END{printa("%@d\\n",@);}', r"10\n\n")  # assoc latency
t('inline int MIN=50; syscall::pread64:return/pid==$target && arg0>=MIN/{@=count();} END{printa("%@d\\n",@);}', r"10\n\n")  # inline thresh
t('syscall::pread64:entry/pid==$target/{@=count();} tick-1s{printa(@);clear(@);} END{printf("done\\n");}', r"(?s).*done\n.*")  # tick print
t('syscall::pread64:entry/pid==$target/{@[usym(uregs[R_PC])]=count();} END{printa("%A %@d\\n",@);}', r"libc.so.6`\S+ 10\n\n")  # usym
t('syscall::pread64:entry/pid==$target/{@[umod(ucaller)]=count();} END{printa("%A %@d\\n",@);}', r"\S+ 10\n\n")  # umod
t('syscall::pread64:entry/pid==$target/{@[cwd,root]=count();} END{printa("%s %s %@d\\n",@);}', r"" + re.escape(T) + r" / 10\n\n")  # cwd
t('syscall::openat:return/pid==$target && errno==ENOENT/{@["ENOENT"]=count();} END{printa("%s\\n",@);}', r"ENOENT\n\n")  # errno names
t('syscall::exit_group:entry/progenyof($target)/{@[ppid==$target||pid==$target]=count();} END{printa("%d %@d\\n",@);}', r"1 7\n\n")  # child follow
t('syscall::wait4:return/pid==$target && arg0>0/{@=count();} END{printa("%@d\\n",@);}', r"6\n\n")  # wait4
t('syscall::p*64:entry/pid==$target/{@[probefunc]=count();} END{printa("%s %@d\\n",@);}', r"(?s).*pwrite64 5\n.*pread64 10\n.*")  # probe wildcards
t('syscall::p*64:entry/pid==$target/{if (probefunc=="pread64") {@r=count();} else if (probefunc=="pwrite64") {@w=count();} else {@o=count();}} END{printa("%@d ",@r);printa("%@d ",@w);}', r"(?s)10 5 .*")  # if else
t('syscall::p*64:return/pid==$target && (probefunc=="pread64"||probefunc=="pwrite64")/{@[probefunc=="pread64"?"R":"W"]=sum(arg0);} END{printa("%s %@d\\n",@);}', r"W 50\nR 1000\n\n")  # ternary label
t('syscall::p*64:return/pid==$target/{@[strjoin(strjoin(execname,":"),probefunc)]=count();} END{printa("%s %@d\\n",@);}', r"(?s).*python3:pread64 10\n.*")  # strjoin key
t('syscall::openat:entry/pid==$target/{@[basename(copyinstr(arg1)),dirname(copyinstr(arg1))]=count();} END{printa("%s %s %@d\\n",@);}', r"(?s).*x /nonexistent 3\n.*")  # basename
t('BEGIN{trace(json("{\\"a\\":[1,{\\"b\\":\\"c\\"}]}","a[1].b"));exit(0);}', r"c\n", command=None)  # json
check(C)
