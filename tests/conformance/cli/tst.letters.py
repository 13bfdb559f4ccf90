#!/usr/bin/env python3
# @@host
"""Every letter of the command line, and every option of -x: what is printed where, and the status."""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

D = os.environ["DTRACE"]
directory = tempfile.TemporaryDirectory()
os.chdir(directory.name)
T = []


def t(args, status, out=None, err=None, stdin=None):
    """None: any. A pattern for all of `out`, and for a part of `err`; "" of a status of 0 is that there is nothing."""
    T.append((args if isinstance(args, list) else args.split(), status, out, err, stdin))


def run(case):
    args, status, out, err, stdin = case
    given = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    ran = subprocess.run([D] + args, capture_output=True, text=True, errors="replace", check=False, **given)
    wrong = []
    if ran.returncode != status:
        wrong.append(f"status {ran.returncode}, wanted {status}")
    if out is not None and ran.stdout != out and not re.fullmatch(out, ran.stdout):
        wrong.append(f"printed {ran.stdout!r}, wanted {out!r}")
    if err is not None and ((err == "" and status == 0 and ran.stderr) or not re.search(err, ran.stderr)):
        wrong.append(f"wanted {err!r} in standard error")
    return f"dtrace {' '.join(args)!r}: {'; '.join(wrong)}; {ran.stderr!r}" if wrong else None


open("a.d","w").write('BEGIN{printf("hi\\n");exit(0);}\n')
open("bad.d","w").write('BEGIN{nosuch();}\n')
open("empty.d","w").write('')
open("m.d","w").write('BEGIN{printf("%d %s\\n",$1,$$2);exit(0);}\n')
open("c.d","w").write('#include <x.h>\nBEGIN{printf("%d\\n",X);exit(0);}\n')
open("c1.d","w").write('BEGIN{printf("%d\\n",X);exit(0);}\n')
open("sh.d","w").write('#!/usr/sbin/dtrace -qs\nBEGIN{printf("hi\\n");exit(0);}\n')
os.makedirs("inc",exist_ok=True)
open("inc/x.h","w").write("#define X 42\n")
os.makedirs("lib",exist_ok=True)
open("lib/l.d","w").write("inline int LLL = 5;\n")
os.makedirs("badlib",exist_ok=True)
open("badlib/l.d","w").write("inline int LLL = ;\n")
open("prov.d","w").write("provider foo { probe bar(int); probe baz__qux(char *, int); };\n")
T=[]
def t(args,rc,out=None,err=None,stdin=None): T.append((args if isinstance(args,list) else args.split(),rc,out,err,stdin))
# usage: 2
for l in "b c D f I i L m n o p P s U x X".split():
    t(f"-{l}",2,"",r"option requires an argument|usage|Usage|requires")
for a in ("-y","-Q","-1","-R","-W","-3","-N"):
    t(a+" x",2,"",r"option|[Uu]sage")
t("",2,None,"[Uu]sage")
t("-l -A",2,"","only one of the")
t("-l -G",2,"","only one of the")
t("-l -h",2,"","only one of the")
t("-V -l",2,"","only one of the")
t("-G -h",2,"","only one of the")
t("-V",0,"dtrace: Sun D [0-9.]+.*\n","")
# -n -P -m -f -i
t(["-q","-n","BEGIN{printf(\"a\");exit(0);}"],0,"a\n","")
t(["-q","-n","BEGIN","-n",'BEGIN{printf("b");exit(0);}'],0,"b\n","")
t(["-n","BEGIN{exit(0);}"],0,None,"description 'BEGIN' matched 1 probe\n")
t(["-n","BEGIN {exit(0);}"],0,None,"description 'BEGIN ' matched 1 probe\n")
t(["-n","dtrace:::BEGIN/1/{exit(0);}"],0,None,"description 'dtrace:::BEGIN' matched 1 probe\n")
t(["-n","BEGIN,END{exit(0);}"],0,None,"description 'BEGIN,END' matched 2 probes\n")
t(["-qP","dtrace{exit(0);}"],0,None,"")
t(["-P","dtrace{exit(0);}"],0,None,"description 'dtrace' matched 3 probes\n")
t(["-P","dtrace:::BEGIN"],1,"","invalid probe specifier")
t(["-P","a:b"],1,"","invalid probe specifier")
t(["-m","a:b:c"],1,"","invalid probe specifier")
t(["-f","a:b:c:d"],1,"","invalid probe specifier")
t(["-n","a:b:c:d:e"],1,"","invalid probe specifier")
t(["-m","dtrace:{exit(0);}"],0,None,"matched 3 probes")
t(["-f","dtrace::{exit(0);}"],0,None,"matched 3 probes")
t(["-f","syscall:vmlinux:getppid/0/{exit(0);}","-n","BEGIN{exit(0);}"],0,None,"matched 2 probes")
t(["-i","1{exit(0);}"],0,None,"description '1' matched 1 probe\n")
t(["-i","1{printf(\"%s\",probename);exit(0);}","-q"],0,"BEGIN\n","")
t(["-i","999999999"],1,"","invalid probe specifier|does not match")
t(["-i","BEGIN"],1,"","invalid probe")
t(["-i","-1"],1,"","invalid probe|1")
t(["-i","0"],1,"","")
t(["-l","-i","1"],0,"   ID   PROVIDER            MODULE                          FUNCTION NAME\n    1     dtrace                                                     BEGIN\n","")
t(["-l","-n","dtrace:::"],0,"   ID   PROVIDER            MODULE                          FUNCTION NAME\n    1     dtrace                                                     BEGIN\n    2     dtrace                                                     END\n    3     dtrace                                                     ERROR\n","")
t(["-l","-P","dtrace"],0,None,"")
t(["-l","-P","nosuch"],1,None,"")
t(["-lq","-n","BEGIN"],0,None,"")
t(["-l","-i","1","-i","2"],0,None,"")
t(["-l","-n","BEGIN{trace(1);}"],0,None,"")
t(["-l","-s","a.d"],0,None,"")
t(["-l","-n","nosuch:::"],1,None,"")
# -s
t("-qs a.d",0,"hi\n\n","")
t("-s a.d -q",0,"hi\n\n","")
t("-qs a.d -s a.d",0,"hi\nhi\n\n|hi\n\n","")
t("-s bad.d",1,"","failed to compile script bad.d: ")
t("-s nosuch.d",1,"","failed to open nosuch.d|No such file")
t("-s empty.d",1,"","empty")
t("-es empty.d",1,"","")
t("-s /tmp",1,"","")
t("-qs m.d 5 foo",0,"5 foo\n\n","")
t("-qs m.d 5",1,"","not defined")
t("-qs m.d 5 foo bar",1,"","extraneous argument 'bar'")
t("-qs m.d -x defaultargs",0,"0 \n\n","")
t("-x defaultargs -qs m.d 5 foo bar",0,"5 foo\n\n","")
t("-qs sh.d",0,"hi\n\n","")
t("-s a.d",0,None,"script 'a.d' matched 1 probe\n")
t(["-qs","/dev/stdin"],0,"in\n","",'BEGIN{printf("in");exit(0);}')
# -e
t("-es a.d",0,"","")
t("-es bad.d",1,"","")
t(["-en","BEGIN"],0,"",None)
t(["-e","-n","nosuch:::"],1,"","")
t("-e",0,"","")
t(["-eZ","-n","nosuch:::"],0,"",None)
t(["-evn","BEGIN"],0,None,None)
# -Z
t(["-Zn","nosuch:::{}","-n","BEGIN{exit(0);}"],0,None,"matched 0 probes")
t(["-Zqn","nosuch:::,BEGIN{exit(0);}"],0,"\n","")
# -C -D -U -I -H -X
t("-C -Iinc -qs c.d",0,"42\n\n","")
t("-C -I inc -qs c.d",0,"42\n\n","")
t("-CIinc -qs c.d",0,"42\n\n","")
t("-C -qs c.d",1,"",None)
t("-qs c.d",1,"","")
t("-C -DX=7 -qs c1.d",0,"7\n\n","")
t("-C -D X=7 -qs c1.d",0,"7\n\n","")
t("-C -DX -qs c1.d",0,"1\n\n","")
t("-C -DX=7 -UX -qs c1.d",1,"","")
t("-DX=7 -qs c1.d",1,"","")
t("-C -DX=7 -DX=8 -qs c1.d",0,"8\n\n",None)
t("-C -Iinc -H -qs c.d",0,"42\n\n","x.h")
t("-xcpp -Iinc -qs c.d",0,"42\n\n","")
t("-xcpp -xdefine=X=3 -qs c1.d",0,"3\n\n","")
t("-xcpp -xincdir=inc -qs c.d",0,"42\n\n","")
for x in "acst":
    t(f"-X{x} -qs a.d",0,"hi\n\n","")
t("-Xq -qs a.d",1,"","")
t("-xstdc=q -qs a.d",1,"","")
t("-xstdc=a -qs a.d",0,"hi\n\n","")
t(["-C","-qn","BEGIN{printf(\"%s\",__SUNW_D?\"y\":\"n\");exit(0);}"],0,"y\n","")
t(["-C","-qn","BEGIN{printf(\"%x\",__SUNW_D_VERSION);exit(0);}"],0,None,"")
t(["-C","-qn","BEGIN{printf(\"%d\",__linux+__unix+__x86_64);exit(0);}"],0,"3\n","")
# -L
t(["-L","lib","-qn","BEGIN{trace(LLL);exit(0);}"],0,"5\n","")
t(["-Llib","-qn","BEGIN{trace(LLL);exit(0);}"],0,"5\n","")
t(["-xlibdir=lib","-qn","BEGIN{trace(LLL);exit(0);}"],0,"5\n","")
t(["-Lnosuch","-qn","BEGIN{exit(0);}"],0,"\n",None)
t(["-Lbadlib","-qn","BEGIN{exit(0);}"],0,"\n",None)
t("-Lbadlib -e",1,"",None)
t("-Llib -e",0,"","")
t(["-xnolibs","-qn","BEGIN{trace(SIGINT);exit(0);}"],1,"","")
t(["-xnolibs","-qn","BEGIN{trace(1);exit(0);}"],0,"1\n","")
# -o
t(["-o","out","-qn",'BEGIN{printf("x");exit(0);}'],0,"","")
t(["-o","/nonexist/out","-qn",'BEGIN{exit(0);}'],1,"","failed to open")
t(["-o",".","-qn",'BEGIN{exit(0);}'],1,"","")
# -b
for b in ("1k","16","1m","4k","128","100"):
    t(["-b",b,"-qn","BEGIN{exit(0);}"],0,"\n",None)
for b in ("x","1x","-1","","1kk","k"):
    t(["-b",b,"-qn","BEGIN{exit(0);}"],1,"","failed to set -b")
# -p -c
t(["-p","1","-qn","BEGIN{trace($target);exit(0);}"],0,"1\n","")
t(["-p","999999","-qn","BEGIN{exit(0);}"],1,"","999999")
t(["-p","abc","-qn","BEGIN{exit(0);}"],1,"","abc")
t(["-p","-1","-qn","BEGIN{exit(0);}"],1,"","")
t(["-c","true","-qn","END{trace(1);}"],0,"1\n","")
t(["-c","/nonexist","-qn","BEGIN{}"],1,"","failed to execute")
t(["-c","echo a b","-qn","END{trace(1);}"],0,"a b\n1\n","")
t(["-c","echo 'a  b' \"c  d\"","-qn","END{}"],0,"a  b c  d\n\n|.*","")
t(["-c","false","-qn","END{trace(1);}"],0,"1\n","pid [0-9]+ exited with status 1|")
t(["-c","sleep 100","-qn","BEGIN{exit(0);}"],0,"\n","")
# -q -F -S -v -w
t(["-wqn","BEGIN{system(\"echo s\");exit(0);}"],0,"s\n\n","")
t(["-qn","BEGIN{system(\"echo s\");exit(0);}"],1,"","Destructive actions not allowed")
t(["-wn","BEGIN{exit(0);}"],0,None,"allowing destructive actions")
t(["-xdestructive","-qn","BEGIN{system(\"echo s\");exit(0);}"],0,"s\n\n",None)
t(["-Sqn","BEGIN{exit(0);}"],0,"\n","DIFO|:")
t(["-Sen","BEGIN{exit(0);}"],0,None,None)
t(["-vqn","BEGIN{exit(0);}"],0,None,None)
t(["-qxquiet=0","-n","BEGIN{trace(1);exit(0);}"],0,None,None)
# -x
for x in ("foo","foo=1","=","","bufsize=","quiet=maybe","aggrate=1parsec"):
    t(["-x",x,"-qn","BEGIN{exit(0);}"],1,"","failed to set -x")
for x in ("aggrate=1s","aggrate=1sec","aggrate=100ms","aggrate=1hz","aggrate=5","aggrate=1min","aggrate=1m","aggrate=1h","aggrate=1hour","aggrate=1d","aggrate=1day","switchrate=100us","statusrate=10hz","bufsize=1K","bufsize=1M","bufsize=0x1000","bufsize=1G","specsize=1k","strsize=64","dynvarsize=0x100000","stackframes=5","ustackframes=3","jstackframes=9","jstackstrsize=100","aggsize=1g","cleanrate=1hz","temporal","temporal=no","cpu=0","bufresize=auto","bufresize=manual","bufpolicy=switch","evaltime=exec","evaltime=main","evaltime=preinit","evaltime=postinit","rawbytes","stackindent=3","aggsortkey","aggsortrev=yes","flowindent","amin=Unstable/Unstable/Common","argref","zdefs","unodefs","knodefs","linkmode=dynamic","linkmode=kernel","linkmode=static","late=static","late=dynamic","verbose","empty","pspec","strip","iregs=8","tregs=8","pgmax=8","debug","errtags","droptags","setenv=A=b","unsetenv=A","ldpath=/bin/ld","cpppath=/usr/bin/cpp","aggpack","agghist","aggzoom","encoding=ascii","encoding=utf8","version=1.5","quietresize","printsize=10","pcapsize=100","scratchsize=100","lockmem=1","maxframes=10","noresolve","nolibs","destructive","preallocate=1k","useruid=1000","linknommap","debugassert","bpflog","bpflogsize=1k","disasm=1","dofstashpath=/x","cpphdrs","cppargs=-DX"):
    t(["-x",x,"-qn","BEGIN{exit(0);}"],0,None,None)
# -A -a
t(["-a"],1,"",None)
t("-hs prov.d",0,"","")
t("-h -s prov.d -o p.h",0,"","")
t("-hs nosuch.d",1,"",None)
t("-hs a.d", 0, r"usage: a\n(?s:.*)", "")
t("-Gs prov.d",0,"",None)
t("-G -s prov.d -o p.o",0,"",None)

with concurrent.futures.ThreadPoolExecutor(2) as pool:
    wrong = [text for text in pool.map(run, T) if text]
if wrong:
    sys.exit("\n".join(wrong))
