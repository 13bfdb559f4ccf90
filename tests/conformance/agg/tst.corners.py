#!/usr/bin/env python3
# @@host
"""Aggregations at the limits of their types, sorted, cut, normalized and joined."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check

check([
    Case('BEGIN{@=quantize(-1);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n              -2 |                                         0        \n              -1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n               0 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=quantize(-2);@=quantize(2);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n              -4 |                                         0        \n              -2 |@@@@@@@@@@@@@@@@@@@@                     1        \n              -1 |                                         0        \n               0 |                                         0        \n               1 |                                         0        \n               2 |@@@@@@@@@@@@@@@@@@@@                     1        \n               4 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=quantize(1,-1);@=quantize(2,2);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n               0                     |                     0        \n               1              @@@@@@@|                     -1       \n               2                     |@@@@@@@@@@@@@        2        \n               4                     |                     0        \n\n', newline=False),
    Case('BEGIN{@=lquantize(0,0,1);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n             < 0 |                                         0        \n               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n            >= 1 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=lquantize(-1,0,1);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n             < 0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n               0 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=lquantize(5,0,1);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n               0 |                                         0        \n            >= 1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n\n', newline=False),
    Case('BEGIN{@=lquantize(-9223372036854775807-1,-10,10,5);@=lquantize(9223372036854775807,-10,10,5);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n           < -10 |@@@@@@@@@@@@@@@@@@@@                     1        \n             -10 |                                         0        \n              -5 |                                         0        \n               0 |                                         0        \n               5 |                                         0        \n           >= 10 |@@@@@@@@@@@@@@@@@@@@                     1        \n\n', newline=False),
    Case('BEGIN{@=lquantize(-1,-3,3);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n              -2 |                                         0        \n              -1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n               0 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=llquantize(-5,10,0,3,10);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n             < 1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n               1 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=llquantize(1,10,0,1,10);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n             < 1 |                                         0        \n               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n               2 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=llquantize(99,10,0,1,10);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n              80 |                                         0        \n              90 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n          >= 100 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=llquantize(100,10,0,1,10);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n              90 |                                         0        \n          >= 100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n\n', newline=False),
    Case('BEGIN{@=llquantize(7,2,0,3,2);@=llquantize(8,2,0,3,2);@=llquantize(16,2,0,3,2);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n               2 |                                         0        \n               4 |@@@@@@@@@@@@@                            1        \n               8 |@@@@@@@@@@@@@                            1        \n           >= 16 |@@@@@@@@@@@@@                            1        \n\n', newline=False),
    Case('BEGIN{@=llquantize(55,10,0,2,20);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n              50 |                                         0        \n              55 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n              60 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=llquantize(5,10,0,2,100);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n               4 |                                         0        \n               5 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n               6 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=llquantize(15,10,0,2,100);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n              14 |                                         0        \n              15 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n              16 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=llquantize(250,10,0,3,10,7);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n             100 |                                         0        \n             200 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 7        \n             300 |                                         0        \n\n', newline=False),
    Case('BEGIN{@=llquantize(250,10,0,3,10,-7);exit(0);}', '\n\n           value  ------------- Distribution ------------- count    \n             100                                         | 0        \n             200 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -7       \n             300                                         | 0        \n\n', newline=False),
    Case('BEGIN{@=sum(-100);normalize(@,10);exit(0);}', '\n              -10\n', newline=False),
    Case('BEGIN{@[1]=sum(1);@[2]=sum(2);trunc(@,-0);exit(0);}', ''),
    Case('BEGIN{@[1]=sum(1);@[2]=sum(2);@[3]=sum(3);trunc(@,-2);exit(0);}', '\n        1                1\n        2                2\n', newline=False),
    Case('BEGIN{@[1]=sum(1);@[2]=sum(2);trunc(@,5);exit(0);}', '\n        1                1\n        2                2\n', newline=False),
    Case('BEGIN{@[1]=sum(1);@[2]=sum(1);@[3]=sum(1);trunc(@,1);exit(0);}', '\n        3                1\n', newline=False),
    Case('BEGIN{@=stddev(9223372036854775807);@=stddev(-9223372036854775807);exit(0);}', '\n 9223372036854775807\n', newline=False),
    Case('BEGIN{@=stddev(-9223372036854775807-1);exit(0);}', '\n                0\n', newline=False),
    Case('BEGIN{@=stddev(1000000000000);@=stddev(1000000000002);exit(0);}', '\n                1\n', newline=False),
    Case('BEGIN{@=avg(1);@=avg(2);exit(0);}', '\n                1\n', newline=False),
    Case('BEGIN{@=avg(-1);@=avg(-2);exit(0);}', '\n               -1\n', newline=False),
    Case('BEGIN{@=min(18446744073709551615);@=min(5);exit(0);}', '\n               -1\n', newline=False),
    Case('BEGIN{@=max(18446744073709551615);@=max(5);exit(0);}', '\n                5\n', newline=False),
    Case('BEGIN{@=count();clear(@);exit(0);}', '\n                0\n', newline=False),
    Case('BEGIN{@=avg(5);clear(@);exit(0);}', '\n                0\n', newline=False),
    Case('BEGIN{@=stddev(5);clear(@);exit(0);}', '\n                0\n', newline=False),
    Case('BEGIN{@a[1]=sum(3);@b[1]=quantize(4);printa("%d %@d %@d",@a,@b);exit(0);}', '1 3 \n           value  ------------- Distribution ------------- count    \n               2 |                                         0        \n               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n               8 |                                         0        \n'),
    Case('BEGIN{@a["a"]=avg(3);@b["a"]=stddev(4);@c["a"]=min(4);@d["a"]=max(5);printa("%s %@d %@d %@d %@d",@a,@b,@c,@d);exit(0);}', 'a 3 0 4 5'),
    Case('BEGIN{@a[1]=sum(5);printa("%@x %@o %@u %@X %@i\\n",@a);exit(0);}', '5 5 5 5 5\n'),
    Case('BEGIN{@a[1]=sum(65);printa("%@c\\n",@a);exit(0);}', 'A\n'),
    Case('BEGIN{@a[1]=sum(1000000000);printa("%@Y\\n",@a);exit(0);}', '1970 Jan  1 00:00:01\n'),
    Case('BEGIN{@a[1]=sum(5);printa("%@5d|%@-5d|%@05d|%@+d\\n",@a);exit(0);}', '    5|5    |00005|+5\n'),
    Case('BEGIN{@a[1,"x",2]=sum(5);printa("%d-%s-%d %@d\\n",@a);exit(0);}', '1-x-2 5\n'),
    Case('BEGIN{@a[(uint8_t)200,(int16_t)-1,(uint16_t)65535]=sum(5);printa("%d %d %d\\n",@a);exit(0);}', '200 -1 65535\n'),
    Case('BEGIN{@a[timestamp-timestamp,walltimestamp-walltimestamp]=sum(5);printa("%d %Y\\n",@a);exit(0);}', '0 1970 Jan  1 00:00:00\n'),
    Case('BEGIN{@[1]=sum(2);@[2]=sum(1);exit(0);}', '\n        1                2\n        2                1\n', options=["-xaggsortkey"], newline=False),
    Case('BEGIN{@[1,"b"]=sum(2);@[2,"a"]=sum(1);exit(0);}', '\n        2  a                                                                 1\n        1  b                                                                 2\n', options=["-xaggsortkey", "-xaggsortkeypos=1"], newline=False),
    Case('BEGIN{@a[1]=sum(2);@a[2]=sum(1);@b[1]=sum(5);@b[2]=sum(6);printa("%d %@d %@d\\n",@a,@b);exit(0);}', '1 2 5\n2 1 6\n', options=["-xaggsortpos=1"]),
    Case('BEGIN{@a["z"]=sum(-5);@a["y"]=sum(3);@a["x"]=sum(3);exit(0);}', '\n  y                                                                 3\n  x                                                                 3\n  z                                                                -5\n', options=["-xaggsortrev"], newline=False),
    Case('BEGIN{@["b",1]=sum(1);@["a",2]=sum(1);@["a",1]=sum(1);exit(0);}', '\n  a                                                         1                1\n  a                                                         2                1\n  b                                                         1                1\n', newline=False),
])
