// Events of uprobes on the running kernel: what they count, and that nothing of them stays.

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>

#include "kernel/insn.h"
#include "kernel/tracefs.h"
#include "kernel/uprobe_events.h"

namespace dt::kernel {
namespace {

constexpr std::int32_t kMapLookup = 1;

// The offset of `code` in the file of this program, by the first segment that contains it.
std::uint64_t file_offset(const void* code) {
  struct Search {
    std::uint64_t address, offset;
  } search = {reinterpret_cast<std::uint64_t>(code), 0};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto* const wanted = static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& one = info->dlpi_phdr[i];
          const std::uint64_t at = wanted->address - info->dlpi_addr - one.p_vaddr;
          if (one.p_type == PT_LOAD && at < one.p_memsz) wanted->offset = one.p_offset + at;
        }
        return 1;  // the first object is the program
      },
      &search);
  return search.offset;
}

__attribute__((noinline)) int traced(int value) {
  asm volatile("" : "+r"(value));
  return value + 1;
}
__attribute__((noinline)) int traced_too(int value) {
  asm volatile("" : "+r"(value));
  return value + 2;
}

// A program that counts how often it runs.
class Counter {
 public:
  Counter() : kernel_(linux_kernel()) {
    MapSpec map{"dt_test"};
    map.flags = BPF_F_MMAPABLE;
    map_ = std::move(kernel_->create_map(map)).value();
    memory_ = std::move(kernel_->map_memory(map_, 8)).value();
    const auto [low, high] = insn::map_fd(1, map_.get());
    const std::array<bpf_insn, 11> body = {insn::store_imm(BPF_W, 10, -4, 0),
                                           insn::mov(2, 10),
                                           insn::alu_imm(BPF_ADD, 2, -4),
                                           low,
                                           high,
                                           insn::call(kMapLookup),
                                           insn::make(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2, 0),
                                           insn::mov_imm(1, 1),
                                           insn::atomic(BPF_DW, BPF_ADD, 0, 0, 1),
                                           insn::mov_imm(0, 0),
                                           insn::exit()};
    ProgramSpec spec{"dt_test", BPF_PROG_TYPE_KPROBE};
    auto program = kernel_->load_program(spec, body, true);
    EXPECT_TRUE(program.ok()) << program.error().text;
    program_ = std::move(program).value();
  }

  std::uint64_t count() const { return *reinterpret_cast<const std::uint64_t*>(memory_.data); }
  Result<std::unique_ptr<Kernel::Attached>> attach(UprobeSites sites) {
    return kernel_->attach_uprobe_event({{std::move(sites)}}, program_);
  }

 private:
  std::unique_ptr<Kernel> kernel_;
  Fd map_, program_;
  Kernel::Mapping memory_;
};

UprobeSites own_sites() {
  const std::uint64_t one = file_offset(reinterpret_cast<const void*>(traced));
  const std::uint64_t other = file_offset(reinterpret_cast<const void*>(traced_too));
  // Two probes may be at one place.
  return {"/proc/self/exe", ::getpid(), {{one, 1, 0}, {one, 2, 0}, {other, 3, 0}}};
}

// Whether events of a process are defined.
bool has_events(pid_t pid) {
  const auto text = read_tracefs("uprobe_events");
  return text.ok() && text->find(fmt::format("p:dtrace_{}_", pid)) != std::string::npos;
}

template <typename Done>
bool in_time(Done done) {
  constexpr timespec kPause = {0, 20'000'000};
  for (int i = 0; i < 1000; ++i) {
    if (done()) return true;
    ::nanosleep(&kPause, nullptr);
  }
  return false;
}

// The guardian of a process, 0 when it has none.
pid_t guardian_of(pid_t parent) {
  pid_t found = 0;
  DIR* const processes = ::opendir("/proc");
  while (const dirent* const entry = ::readdir(processes)) {
    std::FILE* const file = std::fopen(fmt::format("/proc/{}/stat", entry->d_name).c_str(), "re");
    if (file == nullptr) continue;
    int pid = 0, of = 0;
    char state = 0;
    std::array<char, 64> name = {};
    if (std::fscanf(file, "%d (%63[^)]) %c %d", &pid, name.data(), &state, &of) == 4 &&
        of == parent && std::string(name.data()) == "dtrace-guardian") {
      found = pid;
    }
    std::fclose(file);
  }
  ::closedir(processes);
  return found;
}

// A process with an event that is attached; it lives until it is ended.
pid_t fork_tracer() {
  std::array<int, 2> ends = {};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t pid = ::fork();
  if (pid == 0) {
    Counter counter;
    const auto event = counter.attach(own_sites());
    static_cast<void>(!::write(ends[1], event.ok() ? "y" : "n", 1));
    while (true) ::pause();
  }
  char answer = 0;
  ::close(ends[1]);
  EXPECT_EQ(::read(ends[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  ::close(ends[0]);
  return pid;
}

class UprobeEvent : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to attach programs";
  }
};

TEST_F(UprobeEvent, CountsEachPlaceAndLeavesNothing) {
  Counter counter;
  {
    const auto event = counter.attach(own_sites());
    ASSERT_TRUE(event.ok()) << event.error().text;
    EXPECT_TRUE(has_events(::getpid()));
    for (int i = 0; i < 10; ++i) traced(i);
    EXPECT_EQ(counter.count(), 20u);
    traced_too(0);
    EXPECT_EQ(counter.count(), 21u);
  }
  EXPECT_FALSE(has_events(::getpid()));
  traced(0);
  EXPECT_EQ(counter.count(), 21u);
}

TEST_F(UprobeEvent, IsOfOneProcessOrOfAll) {
  Counter own, all;
  UprobeSites sites = own_sites();
  const auto of_us = own.attach(sites);
  sites.pid = 0;
  const auto of_all = all.attach(sites);
  ASSERT_TRUE(of_us.ok() && of_all.ok());
  const pid_t pid = ::fork();
  if (pid == 0) {
    traced(0);
    ::_exit(0);
  }
  ::waitpid(pid, nullptr, 0);
  EXPECT_EQ(own.count(), 0u);
  EXPECT_EQ(all.count(), 2u);
}

TEST_F(UprobeEvent, WhatIsRefusedIsNotDefined) {
  Counter counter;
  UprobeSites gone = own_sites(), directory = own_sites();
  gone.pid = 5'000'000;
  directory.path = "/";
  const auto of_gone = counter.attach(gone);
  ASSERT_FALSE(of_gone.ok());
  EXPECT_EQ(of_gone.error().code, ESRCH);
  EXPECT_EQ(of_gone.error().remedy, "the process has ended");
  const auto of_directory = counter.attach(directory);
  ASSERT_FALSE(of_directory.ok());
  EXPECT_EQ(of_directory.error().code, EINVAL);
  EXPECT_FALSE(has_events(::getpid()));
}

TEST_F(UprobeEvent, AProcessThatIsForkedKeepsTheDefinition) {
  pid_t child = -1;
  const pid_t tracer = ::fork();
  if (tracer == 0) {
    Counter counter;
    auto event = counter.attach(own_sites());
    child = ::fork();
    if (child == 0) {
      while (true) ::pause();
    }
    event.value().reset();
    const bool is_kept = has_events(::getpid());
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::_exit(is_kept ? 0 : 1);
  }
  int status = -1;
  ::waitpid(tracer, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(in_time([&] { return !has_events(tracer); }));
}

TEST_F(UprobeEvent, WhoIsKilledLeavesNothing) {
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);  // whom it leaves are ours
  const pid_t tracer = fork_tracer();
  ASSERT_TRUE(has_events(tracer));
  const pid_t guardian = guardian_of(tracer);
  ASSERT_GT(guardian, 0);
  ::kill(guardian, SIGTERM);  // which it does not take
  ::kill(tracer, SIGKILL);
  ::waitpid(tracer, nullptr, 0);
  EXPECT_TRUE(in_time([&] { return !has_events(tracer); }));
  EXPECT_EQ(::waitpid(guardian, nullptr, 0), guardian);
}

TEST_F(UprobeEvent, WhatIsLeftByTracerAndGuardianIsRemovedByTheNext) {
  const pid_t tracer = fork_tracer();
  const pid_t guardian = guardian_of(tracer);
  ASSERT_GT(guardian, 0);
  ::kill(guardian, SIGKILL);
  ::kill(tracer, SIGKILL);
  ::waitpid(tracer, nullptr, 0);
  ASSERT_TRUE(has_events(tracer));
  // Others who have events keep it from doing so.
  EXPECT_TRUE(in_time([&] { return UprobeEvents::open().ok() && !has_events(tracer); }));
}

}  // namespace
}  // namespace dt::kernel
