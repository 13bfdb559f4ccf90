#include "exports/perf_script.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace dt::exports {
namespace {

PerfSample sample() {
  PerfSample out;
  out.command = "my job";
  out.pid = 12;
  out.cpu = 3;
  out.time_ns = 1'700'000'000'000'000'042;
  out.event = "profile-97";
  out.frames.push_back({0x1000, {"libc.so.6", "read", 0x12, 0}, "", 0, false});
  out.frames.push_back({0x2000, {"a.out", "f(int, char*)", 0, 0}, "", 0, false});
  out.frames.push_back({0x3000, {}, "", 0, false});
  return out;
}

TEST(PerfScript, is_a_line_and_a_line_for_each_frame) {
  EXPECT_EQ(perf_script(sample()),
            "my_job             12 [003] 1700000000.000000042:          1 profile-97:\n"
            "\t            1000 read+0x12 (libc.so.6)\n"
            "\t            2000 f(int, char*) (a.out)\n"
            "\t            3000 [unknown] ([unknown])\n"
            "\n");
}

TEST(PerfScript, a_command_that_is_not_known_is_the_process) {
  PerfSample of = sample();
  of.command = "";
  EXPECT_TRUE(perf_script(of).starts_with(":12 "));
}

TEST(PerfScript, names_make_no_lines) {
  PerfSample of = sample();
  of.command = "a\nb";
  of.event = "x:y\tz w";
  of.frames[0].symbol.name = "f\n\tg (h)";
  const std::string text = perf_script(of);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
}

}  // namespace
}  // namespace dt::exports
