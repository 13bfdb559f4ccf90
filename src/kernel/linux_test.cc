// What LinuxKernel does without privileges.

#include "kernel/linux.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "kernel/bpf_call.h"

namespace dt::kernel {
namespace {

using Cpus = std::vector<int>;

TEST(CpuList, ReadsRangesAndHoles) {
  EXPECT_EQ(parse_cpu_list("0\n"), Cpus{0});
  EXPECT_EQ(parse_cpu_list("0-3\n"), (Cpus{0, 1, 2, 3}));
  EXPECT_EQ(parse_cpu_list("0-1,4,6-7\n"), (Cpus{0, 1, 4, 6, 7}));
}

TEST(CpuList, SurvivesNonsense) {
  EXPECT_EQ(parse_cpu_list(""), Cpus{});
  EXPECT_EQ(parse_cpu_list("\n"), Cpus{});
  EXPECT_EQ(parse_cpu_list("x"), Cpus{});
  EXPECT_EQ(parse_cpu_list("1,"), Cpus{1});
  EXPECT_EQ(parse_cpu_list("-5"), Cpus{});
  EXPECT_LE(parse_cpu_list("0-2000000000").size(), 65536U);
}

TEST(LinuxKernel, KnowsTheMachine) {
  LinuxKernel kernel;
  EXPECT_GE(kernel.possible_cpus(), 1U);
  EXPECT_FALSE(kernel.online_cpus().empty());
  EXPECT_LT(kernel.online_cpus().back(), static_cast<int>(kernel.possible_cpus()));
  EXPECT_NE(kernel.release().find('.'), std::string::npos);
}

TEST(BpfError, NamesTheCallTheObjectAndTheReason) {
  EXPECT_EQ(bpf_error(BPF_MAP_CREATE, "dt_ring", ENOMEM).text,
            "bpf(BPF_MAP_CREATE) of 'dt_ring': Cannot allocate memory");
  EXPECT_EQ(bpf_error(BPF_MAP_FREEZE, "", EBUSY).text,
            "bpf(BPF_MAP_FREEZE): Device or resource busy");
}

TEST(BpfError, SaysWhatToDoAboutTheCommonRefusals) {
  for (const int code : {EPERM, ENOMEM, E2BIG, EMFILE, ENOSYS}) {
    EXPECT_NE(bpf_error(BPF_MAP_CREATE, "", code).remedy, "") << code;
  }
  EXPECT_EQ(bpf_error(BPF_MAP_CREATE, "", EINVAL).remedy, "");
}

TEST(BpfError, SaysWhichOfBothCallsIsHidden) {
  EXPECT_EQ(
      remedy(ENOSYS),
      "this kernel was built without BPF, or a policy (a container's seccomp filter) hides it");
  EXPECT_EQ(perf_remedy(ENOSYS),
            "this kernel was built without perf events, or a policy (a container's seccomp filter) "
            "hides them");
  EXPECT_EQ(perf_remedy(EMFILE), remedy(EMFILE));
  EXPECT_EQ(perf_remedy(EACCES), remedy(EPERM));
}

TEST(LinuxKernel, RefusesAPeriodThatTheClockCannotKeep) {
  LinuxKernel kernel;
  const auto event = kernel.attach_cpu_clock(0, 0, 1'000'000, Fd());
  ASSERT_FALSE(event.ok());
  EXPECT_EQ(event.error().text,
            "perf_event_open of the clock of CPU 0: a period of 1000 ns is shorter than the "
            "10000 ns that the kernel's clock can do");
}

}  // namespace
}  // namespace dt::kernel
