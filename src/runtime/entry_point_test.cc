// The way of a program to its own first instruction.

#include "runtime/entry_point.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "runtime/process.h"
#include "symbol/process/process.h"
#include "testing/kernel/fake_ptrace.h"

namespace dt::runtime {
namespace {

using kernel::FakePtrace;
using Kind = kernel::Ptrace::Stop::Kind;

std::string maps(const Process& process) {
  return symbol::read_file(fmt::format("/proc/{}/maps", process.pid()), 1 << 20);
}

std::optional<Process::End> end_of(Process& process) {
  pollfd state = {process.fd(), POLLIN, 0};
  ::poll(&state, 1, 10'000);
  return process.poll_end();
}

// Of the program itself, byte for byte.
bool code_is_that_of_the_file(pid_t pid) {
  char path[4096] = {};
  const std::string exe = fmt::format("/proc/{}/exe", pid);
  if (::readlink(exe.c_str(), path, sizeof path - 1) < 0) return false;
  std::size_t mappings = 0;
  for (const symbol::Mapping& mapping :
       symbol::parse_maps(symbol::read_file(fmt::format("/proc/{}/maps", pid), 1 << 20))) {
    if (mapping.path != path) continue;
    const std::size_t size = mapping.end - mapping.begin;
    std::string in_file(size, '\0');
    std::ifstream file(exe, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(mapping.file_offset));
    file.read(in_file.data(), static_cast<std::streamsize>(size));
    std::string in_memory(size, '\1');
    std::ifstream memory(fmt::format("/proc/{}/mem", pid), std::ios::binary);
    memory.seekg(static_cast<std::streamoff>(mapping.begin));
    memory.read(in_memory.data(), static_cast<std::streamsize>(size));
    if (in_memory != in_file) return false;
    ++mappings;
  }
  return mappings > 0;
}

TEST(MainOfStartCode, IsTheFirstArgumentThatIsPassedOn) {
  // xor %ebp,%ebp; lea 0x100(%rip),%rdi; call
  const std::vector<std::uint8_t> relative = {0x31, 0xed, 0x48, 0x8d, 0x3d, 0x00,
                                              0x01, 0x00, 0x00, 0xff, 0x15};
  EXPECT_EQ(main_of_start_code(relative, 0x401000), 0x401109U);
  const std::vector<std::uint8_t> behind = {0x48, 0x8d, 0x3d, 0xf0, 0xff, 0xff, 0xff};
  EXPECT_EQ(main_of_start_code(behind, 0x401000), 0x400ff7U);
  const std::vector<std::uint8_t> absolute = {0x48, 0xc7, 0xc7, 0x26, 0x11, 0x40, 0x00};
  EXPECT_EQ(main_of_start_code(absolute, 0x401000), 0x401126U);
  EXPECT_EQ(main_of_start_code({}, 0x401000), std::nullopt);
  const std::vector<std::uint8_t> cut = {0x48, 0x8d, 0x3d, 0x00, 0x01, 0x00};
  EXPECT_EQ(main_of_start_code(cut, 0x401000), std::nullopt);
}

TEST(EntryPoint, LibrariesAreThereAndNothingOfTheProgramHasRun) {
  auto process = Process::start("sh -c 'exit 5'");
  ASSERT_TRUE(process.ok()) << process.error().text;
  EXPECT_EQ(maps(*process).find("libc.so.6"), std::string::npos);
  for (int i = 0; i < 2; ++i) {
    const Status status = process->run_to_entry();
    ASSERT_TRUE(status.ok()) << status.error().text;
    EXPECT_NE(maps(*process).find("libc.so.6"), std::string::npos);
    const auto entry =
        entry_of_auxv(symbol::read_file(fmt::format("/proc/{}/auxv", process->pid()), 4096));
    EXPECT_EQ(kernel::linux_ptrace()->program_counter(process->pid()).value(), entry);
    EXPECT_TRUE(code_is_that_of_the_file(process->pid()));
  }
  ASSERT_TRUE(process->resume().ok());
  EXPECT_EQ(end_of(*process), (Process::End{5, 0}));
}

TEST(EntryPoint, AProgramThatEndsBeforeItIsAnError) {
  ::setenv("LD_DEBUG", "help", 1);  // the dynamic linker prints, and ends the program
  ::setenv("LD_DEBUG_OUTPUT", "/dev/null", 1);
  auto process = Process::start("true");
  ::unsetenv("LD_DEBUG");
  ::unsetenv("LD_DEBUG_OUTPUT");
  ASSERT_TRUE(process.ok());
  const Status status = process->run_to_entry();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text,
            fmt::format("pid {} has exited before its program began", process->pid()));
}

TEST(EntryPoint, AnyBytesAreReadWithBounds) {
  EXPECT_EQ(entry_of_auxv(""), std::nullopt);
  std::string auxv(40, '\0');
  auxv[16] = 9;  // AT_ENTRY, in the second pair
  auxv[24] = 0x55;
  EXPECT_EQ(entry_of_auxv(auxv), 0x55U);
  EXPECT_EQ(entry_of_auxv(auxv.substr(0, 31)), std::nullopt);
}

TEST(EntryPoint, ThoseOf32BitProgramsAreRead) {
  const std::uint32_t words[] = {AT_SYSINFO, 0xf7f00000, AT_ENTRY, 0x8049000, AT_NULL, 0};
  const std::string auxv(reinterpret_cast<const char*>(words), sizeof words);
  EXPECT_EQ(entry_of_auxv(auxv), 0x8049000U);
  EXPECT_EQ(entry_of_auxv(auxv.substr(0, 12)), std::nullopt);
}

// ---- every way that a program may take ------------------------------------------

constexpr pid_t kPid = 100;
constexpr pid_t kChild = 101;
constexpr pid_t kThread = 102;
constexpr std::uint64_t kStart = 0x7000;  // of the dynamic linker
constexpr std::uint64_t kEntry = 0x1003;
constexpr std::uint8_t kCode = 0x55;

std::string auxv_with(std::uint64_t entry) {
  const std::uint64_t words[] = {AT_PAGESZ, 4096, AT_ENTRY, entry, AT_NULL, 0};
  return {reinterpret_cast<const char*>(words), sizeof words};
}

// A program that stands at the beginning of its dynamic linker, and what it does then.
void begin(FakePtrace& ptrace, std::deque<FakePtrace::Event> events) {
  FakePtrace::Process& process = ptrace.processes[kPid];
  process.auxv = auxv_with(kEntry);
  process.program_counter = kStart;
  process.memory->insert_or_assign(kEntry, kCode);
  process.events = std::move(events);
}

FakePtrace::Event arrives(std::uint64_t entry = kEntry) {
  return {{Kind::kBreakpoint, 0, SIGTRAP, 0, 0}, entry + 1, nullptr};
}
FakePtrace::Event gets(int signal) { return {{Kind::kSignal, 0, signal, 0, 0}, 0, nullptr}; }
FakePtrace::Event ends(int status) { return {{Kind::kEnd, status, 0, 0, 0}, 0, nullptr}; }
FakePtrace::Event makes_thread() { return {{Kind::kThread, 0, 0, kThread, 0}, 0, nullptr}; }
FakePtrace::Event makes_child() { return {{Kind::kChild, 0, 0, kChild, 0}, 0, nullptr}; }

// It stands there, and its code is as it was.
void expect_arrival(FakePtrace& ptrace, std::uint64_t entry = kEntry) {
  EXPECT_EQ(ptrace.processes[kPid].program_counter, entry);
  EXPECT_EQ(ptrace.processes[kPid].memory->at(entry), kCode);
  EXPECT_TRUE(ptrace.processes[kPid].is_traced);
}

bool was_called(const FakePtrace& ptrace, const std::string& call) {
  return std::find(ptrace.calls.begin(), ptrace.calls.end(), call) != ptrace.calls.end();
}

TEST(EntryPoint, AProgramThatIsThereStays) {
  FakePtrace ptrace;
  begin(ptrace, {});
  ptrace.processes[kPid].program_counter = kEntry;
  ASSERT_TRUE(run_to_entry_point(ptrace, kPid).ok());
  expect_arrival(ptrace);
}

TEST(EntryPoint, SignalsOnTheWayAreTheProgramsOwn) {
  FakePtrace ptrace;
  const FakePtrace::Event trap = {{Kind::kBreakpoint, 0, SIGTRAP, 0, 0}, 0x7801, nullptr};
  begin(ptrace, {gets(SIGTRAP), trap, gets(SIGUSR1), arrives()});
  const auto arrival = run_to_entry_point(ptrace, kPid);
  ASSERT_TRUE(arrival.ok());
  EXPECT_EQ(arrival->held_signal, 0);
  expect_arrival(ptrace);
  EXPECT_EQ(std::count(ptrace.calls.begin(), ptrace.calls.end(), "go_on 100 with 5"), 2);
  EXPECT_TRUE(was_called(ptrace, "go_on 100 with 10"));
}

TEST(EntryPoint, WhatStopsItIsHeldBackUntilItIsThere) {
  for (const bool has_stopped : {false, true}) {
    FakePtrace ptrace;
    FakePtrace::Event stop = gets(SIGSTOP);
    if (has_stopped) stop.stop.kind = Kind::kStopped;
    begin(ptrace, {stop, arrives()});
    EXPECT_EQ(run_to_entry_point(ptrace, kPid)->held_signal, SIGSTOP);
    EXPECT_FALSE(was_called(ptrace, "go_on 100 with 19"));
    begin(ptrace, {stop, gets(SIGCONT), arrives()});
    EXPECT_EQ(run_to_entry_point(ptrace, kPid)->held_signal, 0);
  }
}

TEST(EntryPoint, AnotherProgramOnTheWayHasItsOwn) {
  constexpr std::uint64_t kOther = 0x3007;
  FakePtrace ptrace;
  FakePtrace::Event exec = {{Kind::kExec, 0, 0, 0, 0}, kStart, nullptr};
  exec.before = [&] {
    FakePtrace::Process& process = ptrace.processes[kPid];
    process.memory = std::make_shared<FakePtrace::Memory>(FakePtrace::Memory{{kOther, kCode}});
    process.auxv = auxv_with(kOther);
  };
  begin(ptrace, {exec, arrives(kOther)});
  ASSERT_TRUE(run_to_entry_point(ptrace, kPid).ok());
  expect_arrival(ptrace, kOther);
  // A static one is there at once.
  begin(ptrace, {exec});
  ptrace.processes[kPid].events[0].at = kOther;
  ASSERT_TRUE(run_to_entry_point(ptrace, kPid).ok());
  expect_arrival(ptrace, kOther);
}

TEST(EntryPoint, ChildrenOnTheWayHaveNoBreakpoint) {
  FakePtrace ptrace;
  FakePtrace::Event fork = makes_child();
  fork.before = [&ptrace] {
    *ptrace.processes[kChild].memory = *ptrace.processes[kPid].memory;
    EXPECT_EQ(ptrace.processes[kChild].memory->at(kEntry), 0xcc);
    // Something else may come before the stop that it begins with.
    ptrace.processes[kChild].events = {gets(SIGINT), gets(SIGSTOP)};
  };
  begin(ptrace, {fork, arrives()});
  ASSERT_TRUE(run_to_entry_point(ptrace, kPid).ok());
  expect_arrival(ptrace);
  EXPECT_EQ(ptrace.processes[kChild].memory->at(kEntry), kCode);
  EXPECT_FALSE(ptrace.processes[kChild].is_traced);
  EXPECT_TRUE(was_called(ptrace, "go_on 101 with 2"));
  EXPECT_TRUE(was_called(ptrace, "detach 101 with 0"));
}

TEST(EntryPoint, ChildrenOfVforkLeaveItWhereItIs) {
  FakePtrace ptrace;
  FakePtrace::Event vfork = makes_child();
  vfork.before = [&ptrace] {
    ptrace.processes[kChild].memory = ptrace.processes[kPid].memory;
    ptrace.processes[kChild].events = {gets(SIGSTOP)};
  };
  FakePtrace::Event later = gets(SIGUSR1);
  later.before = [&ptrace] { EXPECT_EQ(ptrace.processes[kPid].memory->at(kEntry), 0xcc); };
  begin(ptrace, {vfork, later, arrives()});
  ASSERT_TRUE(run_to_entry_point(ptrace, kPid).ok());
  expect_arrival(ptrace);
  EXPECT_FALSE(ptrace.processes[kChild].is_traced);
}

// It makes a thread, which does this.
FakePtrace::Event makes_thread_of(FakePtrace& ptrace, std::deque<FakePtrace::Event> events) {
  FakePtrace::Event clone = makes_thread();
  clone.before = [&ptrace, events] {
    ptrace.processes[kThread].memory = ptrace.processes[kPid].memory;
    ptrace.processes[kThread].events = events;
  };
  return clone;
}

TEST(EntryPoint, ThreadsOnTheWayStandStillWithIt) {
  FakePtrace ptrace;
  begin(ptrace, {makes_thread_of(ptrace, {gets(SIGSTOP), gets(SIGUSR2)}), arrives()});
  const auto arrival = run_to_entry_point(ptrace, kPid);
  ASSERT_TRUE(arrival.ok());
  EXPECT_EQ(arrival->threads, std::vector<pid_t>{kThread});
  expect_arrival(ptrace);
  EXPECT_TRUE(was_called(ptrace, "go_on 102 with 12"));
  // One that has ended needs nothing.
  begin(ptrace, {makes_thread_of(ptrace, {gets(SIGSTOP), ends(0)}), arrives()});
  EXPECT_TRUE(run_to_entry_point(ptrace, kPid)->threads.empty());
}

// When a thread executes another program, the kernel kills the first thread of the process. Any
// ptrace() request for the first thread can be the one that fails.
TEST(EntryPoint, AThreadThatExecutesAnotherProgramIsFollowed) {
  constexpr std::uint64_t kOther = 0x3007;
  FakePtrace whole;
  const auto begin_with_thread = [](FakePtrace& ptrace) {
    begin(ptrace, {makes_thread_of(ptrace, {gets(SIGSTOP)}), gets(SIGUSR1), arrives()});
  };
  begin_with_thread(whole);
  ASSERT_TRUE(run_to_entry_point(whole, kPid).ok());
  for (std::size_t nth = 1; nth <= whole.calls.size(); ++nth) {
    if (!whole.calls[nth - 1].starts_with("go_on 100") &&
        !whole.calls[nth - 1].starts_with("write 100"))
      continue;
    FakePtrace ptrace;
    begin_with_thread(ptrace);
    ptrace.fail(nth, ESRCH);
    FakePtrace::Event exec = {{Kind::kExec, 0, 0, 0, 0}, kStart, nullptr};
    exec.before = [&] {
      FakePtrace::Process& process = ptrace.processes[kPid];
      process.memory = std::make_shared<FakePtrace::Memory>(FakePtrace::Memory{{kOther, kCode}});
      process.auxv = auxv_with(kOther);
      ptrace.processes[kThread].events.clear();
    };
    ptrace.after_failure = {exec, arrives(kOther)};
    const auto arrival = run_to_entry_point(ptrace, kPid);
    ASSERT_TRUE(arrival.ok()) << whole.calls[nth - 1] << ": " << arrival.error().text;
    EXPECT_TRUE(arrival->threads.empty());
    expect_arrival(ptrace, kOther);
  }
}

TEST(EntryPoint, ItsEndIsItsEnd) {
  FakePtrace ptrace;
  begin(ptrace, {ends(3 << 8)});
  EXPECT_EQ(run_to_entry_point(ptrace, kPid)->ended, 3 << 8);
  // Also that of a child, which is not traced.
  FakePtrace::Event fork = makes_child();
  fork.before = [&ptrace] { ptrace.processes[kChild].events = {ends(SIGKILL)}; };
  begin(ptrace, {fork, arrives()});
  EXPECT_EQ(run_to_entry_point(ptrace, kPid)->ended, std::nullopt);
}

TEST(EntryPoint, WhatKeepsItsBreakpointAwayIsSaid) {
  FakePtrace ptrace;
  begin(ptrace, {});
  ptrace.fixed = {kEntry};
  EXPECT_EQ(run_to_entry_point(ptrace, kPid).error().text,
            "on the way to its entry point: write 100 0x1003=cc: Input/output error");
  ptrace.fixed.clear();
  (*ptrace.processes[kPid].memory)[kEntry] = 0xcc;  // a uprobe of another tracer
  EXPECT_EQ(run_to_entry_point(ptrace, kPid).error().text,
            "on the way to its entry point: there is another breakpoint at 0x1003");
  ptrace.processes[kPid].auxv = "";
  EXPECT_EQ(run_to_entry_point(ptrace, kPid).error().text,
            "on the way to its entry point: its auxiliary vector has no entry point");
}

// Forks, makes a thread and arrives.
void begin_eventfully(FakePtrace& ptrace) {
  FakePtrace::Event fork = makes_child();
  fork.before = [&ptrace] {
    *ptrace.processes[kChild].memory = *ptrace.processes[kPid].memory;
    ptrace.processes[kChild].events = {gets(SIGINT), gets(SIGSTOP)};
  };
  const FakePtrace::Event clone =
      makes_thread_of(ptrace, {gets(SIGINT), gets(SIGSTOP), gets(SIGUSR2)});
  begin(ptrace, {gets(SIGUSR1), fork, clone, arrives()});
}

// Whether the call is about the program itself, and not only about what it has made.
bool is_of_program(const std::string& call) {
  return call.find(" 100") != std::string::npos && call.find("stop ") == std::string::npos;
}

// Each call that is made on the way fails, once because it is refused and once because the process
// has been killed: that is an error that names the call, or the end.
TEST(EntryPoint, WhateverFailsItIsAnErrorOrTheEnd) {
  FakePtrace whole;
  begin_eventfully(whole);
  ASSERT_TRUE(run_to_entry_point(whole, kPid).ok());
  ASSERT_GT(whole.calls.size(), 25U);
  for (std::size_t nth = 1; nth <= whole.calls.size(); ++nth) {
    FakePtrace ptrace;
    begin_eventfully(ptrace);
    ptrace.fail(nth, EPERM);
    const auto refused = run_to_entry_point(ptrace, kPid);
    ASSERT_FALSE(refused.ok()) << whole.calls[nth - 1];
    EXPECT_FALSE(ptrace.processes[kPid].is_traced) << "not waited for after it was killed";
    EXPECT_EQ(refused.error().text, fmt::format("on the way to its entry point: {}: Operation not "
                                                "permitted",
                                                whole.calls[nth - 1]));
  }
  for (std::size_t nth = 1; nth <= whole.calls.size(); ++nth) {
    const std::string& call = whole.calls[nth - 1];
    if (call.starts_with("wait ")) continue;  // which gives the end
    FakePtrace ptrace;
    begin_eventfully(ptrace);
    ptrace.fail(nth, ESRCH);
    const auto arrival = run_to_entry_point(ptrace, kPid);
    ASSERT_TRUE(arrival.ok()) << call << ": " << arrival.error().text;
    if (is_of_program(call)) {
      EXPECT_EQ(arrival->ended, SIGKILL) << call;
    } else {
      expect_arrival(ptrace);  // only a child has been killed
    }
  }
}

}  // namespace
}  // namespace dt::runtime
