#include "d/meaning/foreign_points.h"

#include <gtest/gtest.h>

namespace dt::d {
namespace {

TEST(BccDescriptions, AreDescriptionsInD) {
  EXPECT_EQ(bcc_in_d("c:malloc", false), "pid*:libc:malloc:entry");
  EXPECT_EQ(bcc_in_d("p:libssl:SSL_read", true), "pid*:libssl:SSL_read");
  EXPECT_EQ(bcc_in_d("r:c:malloc", false), "pid*:libc:malloc:return");
  EXPECT_EQ(bcc_in_d("r::vfs_read", false), "fbt::vfs_read:return");
  EXPECT_EQ(bcc_in_d("t:sched:sched_switch", false), "sdt:sched::sched_switch");
  EXPECT_EQ(bcc_in_d("t:syscalls:sys_enter_openat", false), "syscall::openat:entry");
  EXPECT_EQ(bcc_in_d("t:raw_syscalls:sys_exit", false), "syscall:::return");
  EXPECT_EQ(bcc_in_d("u:c:setjmp", false), "PROVIDER*:libc::setjmp");
  for (const char* const none : {"", "malloc", "syscall::read:entry", "t:x", "libssl:SSL_read"}) {
    EXPECT_EQ(bcc_in_d(none, false), "") << none;
  }
}

}  // namespace
}  // namespace dt::d
