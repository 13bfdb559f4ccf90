#!/usr/bin/env python3
# @@host
"""Scripts that name probes of nfsv3, nfsv4, smb and iscsi are compiled with -Z; without it they are refused."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check


def waits(clause, **rest):
    return Case(clause + ' BEGIN { printf("ok"); exit(0); }', "ok", ["-Z"], **rest)


check([
    waits('nfsv3:::op-read-start, nfsv3:::op-write-start { @[args[0]->ci_remote, args[1]->noi_curpath] = sum(args[2]->count); }'),
    waits('nfsv3:::op-* { @[args[0]->ci_remote, probename] = count(); }'),
    waits('nfsv4:::op-read-done /args[2]->status == 0/ { trace(args[1]->noi_xid); }'),
    waits('smb:::op-Read-start { printf("%s %d", args[1]->soi_curpath, args[2]->soa_count); }'),
    waits('iscsi:::scsi-command { @[args[1]->ii_target] = sum(args[2]->ic_len); }'),
    waits('iscsi:::data-* { @[args[0]->ci_remote] = quantize(args[1]->ii_datalen); }'),
    Case('nfsv3:::op-null-start { trace(args[2]); } BEGIN { exit(0); }', "", ["-Z"], 1, r"\[D_ARGS_IDX\]"),
    Case('none:::op-read-start { trace(args[0]); } BEGIN { exit(0); }', "", ["-Z"], 1, r"\[D_PDESC_ZERO\]"),
    Case('nfsv3:::op-read-start { trace(args[0]->ci_remote); } BEGIN { exit(0); }', "", (), 1, r"\[D_PDESC_ZERO\]"),
])
