#include "stap/syntax/foreign_points.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace dt::stap {
namespace {

TEST(ForeignPoints, ProbesOfDAndBpftraceHaveNamesHere) {
  for (const auto& [foreign, own] : std::vector<std::pair<std::string, std::string>>{
           {"BEGIN", "begin"},
           {"END", "end"},
           {"ERROR", "error"},
           {"dtrace:::BEGIN", "begin"},
           {"tick-1s", "timer.s(1)"},
           {"tick-10sec", "timer.s(10)"},
           {"tick-500ms", "timer.ms(500)"},
           {"tick-2m", "timer.s(120)"},
           {"tick-5", "timer.hz(5)"},
           {"tick-100hz", "timer.hz(100)"},
           {"tick-0", ""},
           {"tick-1x", ""},
           {"profile:::tick-1s", "timer.s(1)"},
           {"profile-97", "timer.profile.freq.hz(97)"},
           {"profile-997hz", "timer.profile.freq.hz(997)"},
           {"profile-10ms", "timer.profile.freq.hz(100)"},
           {"profile-2s", ""},
           {"profile:::profile-97", "timer.profile.freq.hz(97)"},
           {"timer.1s", "timer.s(1)"},
           {"timer.s", ""},
           {"interval:s:1", "timer.s(1)"},
           {"i:ms:100", "timer.ms(100)"},
           {"profile:hz:99", "timer.profile.freq.hz(99)"},
           {"profile:ms:10", "timer.profile.freq.hz(100)"},
           {"syscall::open:entry", "syscall.open"},
           {"syscall:vmlinux:read:return", "syscall.read.return"},
           {"syscall:::entry", "syscall.*"},
           {"syscall::open*:entry", "syscall.open*"},
           {"tracepoint:syscalls:sys_enter_openat", "syscall.openat"},
           {"tracepoint:syscalls:sys_exit_read", "syscall.read.return"},
           {"tracepoint:raw_syscalls:sys_enter", "syscall.*"},
           {"tracepoint:sched:sched_switch", "kernel.trace(\"sched:sched_switch\")"},
           {"rawtracepoint:sched_switch", "kernel.trace(\"sched_switch\")"},
           {"sdt:::sched_switch", "kernel.trace(\"sched_switch\")"},
           {"fbt::vfs_read:entry", "kernel.function(\"vfs_read\")"},
           {"fbt:vmlinux:vfs_read:return", "kernel.function(\"vfs_read\").return"},
           {"fbt:ext4:ext4_sync_file:entry", "module(\"ext4\").function(\"ext4_sync_file\")"},
           {"kprobe:vfs_read", "kernel.function(\"vfs_read\")"},
           {"kretprobe:vfs_read", "kernel.function(\"vfs_read\").return"},
           {"kfunc:vmlinux:vfs_read", "kernel.function(\"vfs_read\")"},
           {"fexit:vfs_read", "kernel.function(\"vfs_read\").return"},
           {"pid$target::malloc:entry", "process.function(\"malloc\")"},
           {"pid$target:libc.so.6:malloc:return",
            "process.library(\"libc.so.6\").function(\"malloc\").return"},
           {"pid12:a.out:main:entry", "process(12).function(\"main\")"},
           {"uprobe:/bin/bash:readline", "process(\"/bin/bash\").function(\"readline\")"},
           {"uretprobe:/bin/bash:readline", "process(\"/bin/bash\").function(\"readline\").return"},
           {"usdt:/bin/py:python:function__entry",
            "process(\"/bin/py\").provider(\"python\").mark(\"function__entry\")"},
           {"python$target:::function-entry",
            "process.provider(\"python\").mark(\"function__entry\")"},
           {"software:page-faults:100", "perf.type(1).config(2).sample(100)"},
           {"hardware:cache-misses:1000000", "perf.type(0).config(3).sample(1000000)"},
           {"io:::start", "dtrace(\"io:::start\")"},
           {"sched:::on-cpu", "dtrace(\"sched:::on-cpu\")"},
           {"", ""},
           {":::", "dtrace(\":::\")"},
           {"kprobe:", ""},
           {"interval:s:x", ""},
           {"x:y", ""},
           {"begin", ""},
           {"99999999999999999999999s", ""},
           {"tick-99999999999999999999999s", ""}}) {
    EXPECT_EQ(own_point(foreign), own) << foreign;
  }
}

TEST(ForeignPoints, APointReachesFromBlankToBlank) {
  const std::string text = "probe tick-1s, kprobe:f {";
  EXPECT_EQ(point_around(text, 11), "tick-1s");
  EXPECT_EQ(point_around(text, 15), "kprobe:f");
  EXPECT_EQ(point_around(text, 1000), "");
  EXPECT_EQ(hint_of_foreign("tick-1s"), "here it is timer.s(1)");
  EXPECT_EQ(hint_of_foreign(std::string(1000, ':')), "");
}

}  // namespace
}  // namespace dt::stap
