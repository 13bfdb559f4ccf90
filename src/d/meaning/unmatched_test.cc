// What D says of a description that matches no probe.

#include "d/meaning/unmatched.h"

#include <gtest/gtest.h>

namespace dt::d {
namespace {

Diagnostic reported(probe::Unmatched unmatched) {
  Diagnostics diagnostics;
  return report_unmatched(unmatched, diagnostics);
}

TEST(Unmatched, AShortDescriptionIsShownInFull) {
  const Diagnostic one = reported({probe::parse_point("raed:began")});
  EXPECT_EQ(one.tag, "D_PDESC_ZERO");
  EXPECT_EQ(one.text, "probe description ::raed:began does not match any probes");
  EXPECT_EQ(one.hint, "");
  EXPECT_EQ(reported({probe::parse_point("4711")}).text,
            "probe description 4711 does not match any probes");
  EXPECT_EQ(reported({probe::parse_point("a:b:c:d:e")}).text,
            "probe description a:b:c:d:e does not match any probes");
}

TEST(Unmatched, NearMatchesAreHinted) {
  const std::vector<probe::Description> near = {{"syscall", "vmlinux", "read", "entry"},
                                                {"syscall", "vmlinux", "pread", "entry"}};
  EXPECT_EQ(reported({.point = probe::parse_point("raed:entry"), .near = near}).hint,
            "did you mean 'syscall:vmlinux:read:entry' or 'syscall:vmlinux:pread:entry'?");
}

TEST(Unmatched, AFunctionThatNothingIsLikeMayBeOneOfAProgram) {
  const std::vector<probe::Description> near = {{"syscall", "vmlinux", "read", "entry"}};
  EXPECT_EQ(reported({.point = probe::parse_point("malloc:entry"), .near = near}).hint,
            "a function of a program is 'pid$target::malloc:entry', under -p or -c");
  EXPECT_EQ(reported({.point = probe::parse_point("vmlinux:malloc:entry"), .near = near}).hint,
            "did you mean 'syscall:vmlinux:read:entry'?");
  EXPECT_EQ(reported({.point = probe::parse_point("libc:malloc:entry"), .near = near}).hint,
            "a function of a program is 'pid$target:libc:malloc:entry', under -p or -c");
  const std::vector<probe::Description> in_module = {{"fbt", "libata", "ata_qc_issue", "entry"}};
  EXPECT_EQ(reported({.point = probe::parse_point("libata:ata_qc_isue:entry"), .near = in_module})
                .hint.find("pid$target"),
            std::string::npos)
      << "libata is a module of the kernel";
  EXPECT_EQ(reported({.point = probe::parse_point("s:5")}).hint.find("cpc"), std::string::npos);
  EXPECT_EQ(reported({probe::parse_point("malloc")}).hint,
            "a function of a program is 'pid$target::malloc:entry', under -p or -c");
  const std::vector<probe::Description> in_kernel = {{"sdt", "kmem", "", "kmalloc"}};
  EXPECT_EQ(reported({.point = probe::parse_point("malloc"), .near = in_kernel}).hint,
            "a function of a program is 'pid$target::malloc:entry', under -p or -c");
  EXPECT_EQ(reported({.point = probe::parse_point("a.out:main"), .near = in_kernel}).hint,
            "a function of a program is 'pid$target:a.out:main:entry', under -p or -c");
  EXPECT_EQ(reported({.point = probe::parse_point("raed"), .near = near}).hint,
            "did you mean 'syscall:vmlinux:read:entry'?");
  EXPECT_EQ(reported({probe::parse_point("exec-sucess")}).hint, "");
  EXPECT_EQ(reported({probe::parse_point("mall*")}).hint, "");
  EXPECT_EQ(
      reported({.point = probe::parse_point("vfs_read:entry"), .why = "it is the kernel's"}).hint,
      "");
}

TEST(Unmatched, AProviderThatIsNotTheFirstOfFourFieldsIsShifted) {
  EXPECT_EQ(reported({probe::parse_point("pid1234:libc")}).hint,
            "pid1234 is a provider: pid1234:libc::");
  EXPECT_EQ(reported({probe::parse_point("pid1234:libc:malloc")}).hint,
            "pid1234 is a provider: pid1234:libc:malloc:");
  EXPECT_EQ(reported({probe::parse_point("pid1234:libc:malloc:entry")}).hint, "");
  EXPECT_EQ(reported({probe::parse_point("pids:entry")}).hint,
            "a function of a program is 'pid$target::pids:entry', under -p or -c");
}

TEST(Unmatched, AKindOfProbeOfAnotherTracerIsExplained) {
  const Diagnostic one =
      reported({.point = probe::parse_point("interval:s:1"), .why = "there is none", .near = {{}}});
  EXPECT_EQ(one.hint, "in D, this is tick-1s");
  ASSERT_EQ(one.notes.size(), 1U);
  EXPECT_EQ(one.notes[0].text, "there is none");
  const std::pair<const char*, const char*> lines[] = {
      {"kprobe:vfs_read", "fbt::vfs_read:entry"},
      {"kprobe:vfs_*", "fbt::vfs_*:entry"},
      {"k:vfs_read", "fbt::vfs_read:entry"},
      {"kretprobe:vfs_read", "fbt::vfs_read:return"},
      {"fexit:vmlinux:vfs_read", "fbt::vfs_read:return"},
      {"uprobe:libc:malloc", "pid$target:libc:malloc:entry, under -p or -c"},
      {"ur:bash:readline", "pid$target:bash:readline:return, under -p or -c"},
      {"p:c:malloc", "pid$target:libc:malloc:entry, under -p or -c"},
      {"r::vfs_read", "fbt::vfs_read:return"},
      {"tracepoint:syscalls:sys_enter_openat", "syscall::openat:entry"},
      {"tracepoint:syscalls:sys_exit_*", "syscall:::return"},
      {"tracepoint:raw_syscalls:sys_enter", "syscall:::entry"},
      {"t:block:block_rq_issue", "sdt:block::block_rq_issue"},
      {"raw_syscalls:sys_exit", "syscall:::return"},
      {"syscalls:sys_enter_openat", "syscall::openat:entry"},
      {"sys_enter_openat", "syscall::openat:entry"},
      {"syscall.openat.return", "syscall::openat:return"},
      {"rawtracepoint:sched_switch", "rawtp:::sched_switch"},
      {"interval:ms:10", "tick-10ms"},
      {"interval:5s", "tick-5s"},
      {"software:faults:1", "cpc:::page_faults-all-1"},
      {"hardware:cache-misses:1000", "cpc:::cache_misses-all-1000"},
      {"h:cpu-cycles:", "cpc:::cpu_cycles-all-1000000"},
  };
  for (const auto& [theirs, ours] : lines) {
    EXPECT_EQ(reported({probe::parse_point(theirs)}).hint, std::string("in D, this is ") + ours);
  }
  EXPECT_EQ(reported({probe::parse_point("interval")}).hint,
            "a probe that fires every second is tick-1s, and one every 10 ms tick-10ms");
  for (const char* const unknown : {"t", "p:hz:99", "s"}) {
    EXPECT_EQ(reported({probe::parse_point(unknown)}).hint.find("in D"), std::string::npos)
        << unknown;
  }
}

// tick-1 is near tick-0s, and no answer to it.
TEST(Unmatched, ARateThatIsRefusedHasItsReasonAndNoOtherRate) {
  const Diagnostic one =
      reported({.point = probe::parse_point("tick-0s"), .why = "never", .near = {{}}});
  EXPECT_EQ(one.hint, "");
  ASSERT_EQ(one.notes.size(), 1U);
  EXPECT_EQ(one.notes[0].text, "never");
}

TEST(Unmatched, AProbeOfAnotherSystemIsAnsweredWithWhatFiresHere) {
  EXPECT_EQ(reported({probe::parse_point("sdt:::interrupt-start")}).hint,
            "handlers of interrupts are sdt:irq::irq_handler_entry and irq_handler_exit");
  EXPECT_EQ(reported({probe::parse_point("sysinfo:::trap")}).hint,
            "faults are vminfo:::as_fault, and those that wait for a disk vminfo:::maj_fault");
  EXPECT_EQ(reported({probe::parse_point("sysinfo:::rw_wrfails")}).hint,
            "waits for such locks are lockstat:::rw-block");
  EXPECT_EQ(reported({probe::parse_point("ip:::drop-in")}).hint,
            "packets that are dropped are sdt:skb::kfree_skb");
  EXPECT_EQ(reported({probe::parse_point("proc:::trap")}).hint, "");
}

TEST(Unmatched, ASystemCallOfAnotherSystemIsAnsweredWithOneOfLinux) {
  EXPECT_EQ(reported({probe::parse_point("syscall::kevent:entry")}).hint,
            "programs of Linux wait for events in syscall::*poll*");
  EXPECT_EQ(reported({probe::parse_point("syscall::_umtx_op:return")}).hint,
            "threads of Linux wait for locks in syscall::futex, or see plockstat$target:::");
  EXPECT_EQ(reported({probe::parse_point("sdt::kevent:entry")}).hint, "");
}

TEST(Unmatched, WhatTheProviderKnowsExactlyIsAllThatIsSaid) {
  const Diagnostic one =
      reported({.point = probe::parse_point("pid1:::f"),
                .refusal = probe::Refusal{probe::Refusal::Code::kNoFunction, "no f", "try g"}});
  EXPECT_EQ(one.tag, "D_PROC_FUNC");
  EXPECT_EQ(one.text, "no f");
  EXPECT_EQ(one.hint, "try g");
}

TEST(Unmatched, HowToWriteItIsSaidInD) {
  using Code = probe::Refusal::Code;
  const Diagnostic process =
      reported({.point = probe::parse_point("pidx:::"),
                .refusal = probe::Refusal{Code::kNotAProcess, "'pidx' names none", "", "pid"}});
  EXPECT_EQ(process.tag, "D_PDESC_ZERO");
  EXPECT_EQ(process.text, "probe description pidx::: does not match any probes");
  ASSERT_EQ(process.notes.size(), 1u);
  EXPECT_EQ(process.notes[0].text, "'pidx' names none");
  EXPECT_EQ(process.hint, "write pid1234, or pid$target with -p or -c");
  // To DTrace, this one is of a process: its name ends with a digit.
  const Diagnostic number =
      reported({.point = probe::parse_point("pid0:::"),
                .refusal = probe::Refusal{Code::kNotAProcess, "'pid0' names none", "", "pid"}});
  EXPECT_EQ(number.tag, "D_PROC_BADPID");
  EXPECT_EQ(number.text, "'pid0' names none");
  const Diagnostic function =
      reported({.point = probe::parse_point("kinst:::"),
                .refusal = probe::Refusal{Code::kNeedsFunction, "name a function", "", "kinst"}});
  EXPECT_EQ(function.tag, "D_PROC_FUNC");
  EXPECT_EQ(function.hint,
            "kinst::vfs_read: is every instruction of vfs_read, and fbt has the functions "
            "themselves");
}

TEST(Unmatched, AReasonThatTwoPointsHaveIsReportedOnce) {
  Diagnostics diagnostics;
  const std::string why = "functions cannot be traced";
  report_unmatched({.point = probe::parse_point("fbt::vfs_read:entry"), .why = why}, diagnostics);
  report_unmatched({.point = probe::parse_point("fbt::vfs_write:entry"), .why = why}, diagnostics);
  report_unmatched({.point = probe::parse_point("mib:::x"), .why = "another"}, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 3u);
  EXPECT_EQ(diagnostics.all()[0].notes.size(), 1u);
  EXPECT_EQ(diagnostics.all()[1].notes.size(), 0u);
  EXPECT_EQ(diagnostics.all()[2].notes.size(), 1u);
}

TEST(Unmatched, ACounterThatTheKernelLacksIsNotAnother) {
  EXPECT_EQ(reported({.point = probe::parse_point("mib:::tcpOutDataBytes"),
                      .why = "use tcp:::send",
                      .near = {{"mib", "", "", "tcpRetransBytes"}}})
                .hint,
            "");
}

}  // namespace
}  // namespace dt::d
