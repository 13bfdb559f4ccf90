// Rows with flow indent, to the blank.

#include "consumer/flow.h"

#include <gtest/gtest.h>

#include "testing/consumer/trial.h"

namespace dt::consumer::testing {
namespace {

class FlowRows : public ::testing::Test {
 protected:
  FlowRows() {
    run_.schema.probes = {{ProbeId(1), "syscall", "vmlinux", "ioctl", "entry"},
                          {ProbeId(2), "syscall", "vmlinux", "ioctl", "return"},
                          {ProbeId(3), "fbt", "vmlinux", "ioctl_fn", "entry"},
                          {ProbeId(4), "fbt", "vmlinux", "ioctl_fn", "return"},
                          {ProbeId(5), "sdt", "vmlinux", "ioctl_fn", "probe"},
                          {ProbeId(6), "python", "a", "f", "function-entry"},
                          {ProbeId(7), "python", "a", "f", "function-return"}};
    run_.options.quiet = false;
    run_.options.flow_indent = true;
    for (std::uint32_t probe = 1; probe <= 7; ++probe) {
      run_.clause(ActionKind::kDefault, {}, {}, {}, probe);
    }
  }
  static std::string row(const std::string& text, std::size_t cpu = 0) {
    return "  " + std::to_string(cpu) + " " + text + std::string(41 - text.size(), ' ') + " \n";
  }
  Trial run_;
};

TEST_F(FlowRows, IndentFromEntryToReturn) {
  for (const std::uint32_t probe : {1U, 3U, 5U, 4U, 2U}) {
    run_.consume(probe);
  }
  EXPECT_EQ(run_.text(), "CPU FUNCTION                                 \n" + row(" => ioctl") +
                             row("   -> ioctl_fn") + row("    | ioctl_fn:probe") +
                             row("   <- ioctl_fn") + row(" <= ioctl"));
}

TEST_F(FlowRows, TakeNamesThatEndInEntryOrReturnAsCalls) {
  for (const std::uint32_t probe : {6U, 5U, 7U}) {
    run_.consume(probe);
  }
  EXPECT_EQ(run_.text(), "CPU FUNCTION                                 \n" + row(" -> f") +
                             row("  | ioctl_fn:probe") + row(" <- f"));
}

TEST_F(FlowRows, DoNotIndentForAFurtherClauseOfTheSameFiring) {
  const std::uint32_t second = run_.clause(ActionKind::kDefault, {}, {}, {}, 3);
  for (const std::uint32_t epid : {3U, second, 5U}) {
    run_.consume(epid);
  }
  EXPECT_EQ(run_.text(), "CPU FUNCTION                                 \n" + row(" -> ioctl_fn") +
                             row("  | ioctl_fn:entry") + row("  | ioctl_fn:probe"));
}

TEST_F(FlowRows, IndentAFunctionThatCallsItselfWithEachOfItsFirings) {
  const std::uint32_t entry = run_.clause(ActionKind::kDefault, {}, {}, {}, 3);
  const std::uint32_t end = run_.clause(ActionKind::kDefault, {}, {}, {}, 4);
  for (const std::uint32_t epid : {3U, entry, 3U, entry, 4U, end, 4U, end, 5U}) {
    run_.consume(epid);
  }
  EXPECT_EQ(run_.text(), "CPU FUNCTION                                 \n" + row(" -> ioctl_fn") +
                             row("  | ioctl_fn:entry") + row("   -> ioctl_fn") +
                             row("    | ioctl_fn:entry") + row("    | ioctl_fn:return") +
                             row("   <- ioctl_fn") + row("  | ioctl_fn:return") +
                             row(" <- ioctl_fn") + row("| ioctl_fn:probe"));
}

// Only with the next record of the CPU, or without one, is the last row of a return known.
TEST_F(FlowRows, LeaveACallWithTheLastClauseOfItsReturn) {
  const std::uint32_t second = run_.clause(ActionKind::kTrace, {int_type(8)}, {}, {}, 4);
  const std::uint32_t third = run_.clause(ActionKind::kDefault, {}, {}, {}, 4);
  run_.consume(3);
  run_.consume(4);
  run_.consume(1, {}, 1);
  EXPECT_TRUE(run_.consumer().is_holding());
  run_.consume(second, {int_bytes(42)});
  run_.consume(third);
  run_.consume(5);
  EXPECT_FALSE(run_.consumer().is_holding());
  const std::string start = "CPU FUNCTION                                 \n" +
                            row(" -> ioctl_fn") + row("  | ioctl_fn:return") + row(" => ioctl", 1);
  const std::string traced = row("  | ioctl_fn:return");
  const std::string expected = start + traced.substr(0, traced.size() - 1) + "               42\n" +
                               row(" <- ioctl_fn") + row("| ioctl_fn:probe");
  EXPECT_EQ(run_.text(), expected);
  run_.consume(3);
  run_.consume(4);
  EXPECT_EQ(run_.text(), row(" -> ioctl_fn"));
  ASSERT_TRUE(run_.consumer().complete_firings([] { return Status(); }).ok());
  EXPECT_EQ(run_.text(), row(" <- ioctl_fn"));
  // A line that was written before its firing went on keeps its arrow.
  run_.consume(third);
  ASSERT_TRUE(run_.consumer().complete_firings([] { return Status(); }).ok());
  EXPECT_EQ(run_.text(), row("| ioctl_fn:return"));
}

TEST_F(FlowRows, OfFiringsThatBeginWhileOthersEndMayStillLoseTheirArrows) {
  const std::uint32_t second = run_.clause(ActionKind::kDefault, {}, {}, {}, 4);
  run_.consume(3);
  run_.consume(4);
  const auto meanwhile = [this] {
    run_.consume(3, {}, 1);
    run_.consume(4, {}, 1);
    return Status();
  };
  ASSERT_TRUE(run_.consumer().complete_firings(meanwhile).ok());
  EXPECT_TRUE(run_.consumer().is_holding());
  run_.consume(second, {}, 1);
  run_.consume(5, {}, 1);
  const std::string title = "CPU FUNCTION                                 \n";
  EXPECT_EQ(run_.text(), title + row(" -> ioctl_fn") + row(" <- ioctl_fn") +
                             row(" -> ioctl_fn", 1) + row("  | ioctl_fn:return", 1) +
                             row(" <- ioctl_fn", 1) + row("| ioctl_fn:probe", 1));
}

TEST_F(FlowRows, IndentEachCpuForItself) {
  run_.consume(3, {}, 0);
  run_.consume(5, {}, 1);
  run_.consume(4, {}, 1);
  run_.consume(4, {}, 0);
  EXPECT_EQ(run_.text(), "CPU FUNCTION                                 \n" + row(" -> ioctl_fn") +
                             row("| ioctl_fn:probe", 1) + row(" <- ioctl_fn", 1) +
                             row(" <- ioctl_fn"));
}

TEST_F(FlowRows, AreShownWhenQuietToo) {
  run_.options.quiet = true;
  const std::uint32_t epid = run_.clause(ActionKind::kTrace, {int_type(8)}, {}, {}, 3);
  run_.consume(epid, {int_bytes(42)});
  const std::string text = " -> ioctl_fn";
  EXPECT_EQ(run_.text(), "CPU FUNCTION                                 \n  0 " + text +
                             std::string(41 - text.size(), ' ') + " 42\n");
}

}  // namespace
}  // namespace dt::consumer::testing
