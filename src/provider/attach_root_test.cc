// The providers' programs on the running kernel: the verifier takes the
// prologues, and real system calls, samples and timers arrive with their keys
// and arguments.

#include <gtest/gtest.h>
#include <linux/bpf.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "bpf/asm/encode.h"
#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "provider/kernel/syscall_table.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/uprobe.h"
#include "types/type.h"

namespace dt::provider {
namespace {

constexpr std::uint32_t kKeys = kNosysKey + 1;

// What the test's program writes, for each key.
struct Seen {
  std::uint64_t count, argument0, argument1, error;
};

// A program that counts its firings by key and keeps the last arguments, in
// this process only unless it is a sample or a tick.
class Counter {
 public:
  Counter(kernel::Kernel& kernel, const Provider& provider, const std::string& program,
          bool only_us, std::span<const probe::Probe> probes = {})
      : kernel_(kernel) {
    bpf::Machine machine;
    machine.task_status = status_offset();
    const auto prologue = provider.prologue(program, machine);
    std::vector<std::uint8_t> table = prologue->table();
    if (table.empty()) table.resize(8);
    prologue->table_at(0);
    emit(*prologue, only_us);
    make_maps(table);
    kernel::ProgramSpec spec;
    if (take(provider.program_spec(program), spec)) {
      spec.name = "dt_test";
      load(spec, machine);
    }
    if (error_.empty()) {
      auto attached = provider.attach(program, probes, program_, kernel);
      if (attached.ok()) {
        attachment_ = std::move(attached).value();
      } else {
        error_ = attached.error().text;
      }
    }
  }

  const std::string& error() const { return error_; }
  Attachment& attachment() { return *attachment_; }
  const Seen& seen(std::uint32_t key) const {
    return reinterpret_cast<const Seen*>(memory_.data)[key];
  }

 private:
  static std::int32_t status_offset() {
    types::Catalog catalog;
    catalog.add_source(types::kernel_btf_source());
    const auto task = catalog.find(types::Tag::kStruct, "task_struct");
    const auto info = task ? catalog.member(*task, "thread_info") : std::nullopt;
    const auto status = info ? catalog.member(info->type, "status") : std::nullopt;
    return status ? static_cast<std::int32_t>((info->bit_offset + status->bit_offset) / 8) : -1;
  }

  void emit(bpf::Prologue& prologue, bool only_us) {
    const bpf::Reg context = emitter_.context();
    const bpf::Label leave = emitter_.label();
    if (only_us) {
      const bpf::Reg process = emitter_.call(BPF_FUNC_get_current_pid_tgid, {});
      emitter_.alu_imm(bpf::Alu::kRsh, process, 32);
      emitter_.jump_if_imm(bpf::Cond::kNe, process, ::getpid(), leave);
    }
    const bpf::Reg key = prologue.enter(emitter_, context, leave);
    const bpf::Reg first = prologue.argument(emitter_, context, 0);
    const bpf::Reg second = prologue.argument(emitter_, context, 1);
    const bpf::Reg error = prologue.error_number(emitter_, context);
    emitter_.jump_if_imm(bpf::Cond::kGe, key, kKeys, leave);
    emitter_.alu_imm(bpf::Alu::kMul, key, sizeof(Seen));
    const bpf::Reg seen = emitter_.map_value({bpf::MapKind::kGlobals, 0}, 0);
    emitter_.alu(bpf::Alu::kAdd, seen, key);
    emitter_.store(8, seen, offsetof(Seen, argument0), first);
    emitter_.store(8, seen, offsetof(Seen, argument1), second);
    emitter_.store(8, seen, offsetof(Seen, error), error);
    emitter_.atomic(bpf::Atomic::kAdd, 8, seen, offsetof(Seen, count), emitter_.imm(1));
    emitter_.bind(leave);
    emitter_.exit(0);
  }

  template <typename T>
  bool take(Result<T> result, T& into) {
    if (!result.ok()) {
      error_ = result.error().text + '\n' + result.error().log;
      return false;
    }
    into = std::move(result).value();
    return true;
  }

  void make_maps(const std::vector<std::uint8_t>& table) {
    kernel::MapSpec globals{.name = "dt_test", .value_bytes = kKeys * sizeof(Seen)};
    globals.flags = BPF_F_MMAPABLE;
    kernel::MapSpec rodata{.name = "dt_test_ro",
                           .value_bytes = static_cast<std::uint32_t>(table.size())};
    rodata.flags = BPF_F_RDONLY_PROG;
    if (!take(kernel_.create_map(globals), globals_) ||
        !take(kernel_.create_map(rodata), rodata_) ||
        !take(kernel_.map_memory(globals_, kKeys * sizeof(Seen)), memory_)) {
      return;
    }
    const std::uint32_t zero = 0;
    EXPECT_TRUE(kernel_.update(rodata_, &zero, table.data()).ok());
    EXPECT_TRUE(kernel_.freeze_map(rodata_).ok());
  }

  void load(const kernel::ProgramSpec& spec, const bpf::Machine& machine) {
    if (!error_.empty()) return;
    auto assembly = bpf::assemble(emitter_, machine.target);
    if (!assembly.ok()) {
      error_ = assembly.error().text;
      return;
    }
    std::vector<bpf_insn>& insns = assembly->object.insns;
    for (const bpf::Relocation& relocation : assembly->object.relocations) {
      const bool is_rodata = relocation.map.kind == bpf::MapKind::kRodata;
      insns[relocation.insn].src_reg = BPF_PSEUDO_MAP_VALUE;
      insns[relocation.insn].imm = (is_rodata ? rodata_ : globals_).get();
      insns[relocation.insn + 1].imm = static_cast<std::int32_t>(relocation.offset);
    }
    take(kernel_.load_program(spec, insns, true), program_);
  }

  kernel::Kernel& kernel_;
  bpf::Emitter emitter_;
  Fd globals_, rodata_, program_;
  kernel::Kernel::Mapping memory_;
  std::string error_;
  std::unique_ptr<Attachment> attachment_;  // goes before the program
};

class Attached : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "needs root to load programs";
    kernel_ = kernel::linux_kernel();
    types_.add_source(types::kernel_btf_source());
  }
  static std::uint32_t key(const char* name) { return find_syscall(name)->key; }
  std::unique_ptr<kernel::Kernel> kernel_;
  types::Catalog types_;
};

// Spends CPU time until `done` or five seconds have passed.
template <typename Done>
bool busy_until(Done done) {
  const std::time_t end = std::time(nullptr) + 5;
  while (!done()) {
    if (std::time(nullptr) > end) return false;
    for (int i = 0; i < 1000; ++i) ::getppid();
  }
  return true;
}

TEST_F(Attached, EntryAndReturnOfEveryKindOfCall) {
  const auto provider = syscall_provider(kernel_runs_ia32(), types_);
  Counter entry(*kernel_, *provider, "syscall:entry", true);
  ASSERT_EQ(entry.error(), "");
  Counter done(*kernel_, *provider, "syscall:return", true);
  ASSERT_EQ(done.error(), "");

  for (int i = 0; i < 1000; ++i) ::syscall(SYS_getppid);
  EXPECT_EQ(entry.seen(key("getppid")).count, 1000u);
  EXPECT_EQ(done.seen(key("getppid")).count, 1000u);
  EXPECT_EQ(done.seen(key("getppid")).argument0, static_cast<std::uint64_t>(::getppid()));
  EXPECT_EQ(done.seen(key("getppid")).error, 0u);

  ::syscall(SYS_close, -77);
  EXPECT_EQ(static_cast<std::int32_t>(entry.seen(key("close")).argument0), -77);
  EXPECT_EQ(done.seen(key("close")).error, static_cast<std::uint64_t>(EBADF));
  EXPECT_EQ(done.seen(key("close")).argument1, static_cast<std::uint64_t>(-EBADF));

  const std::uint64_t before = entry.seen(kNosysKey).count;
  for (const long number : {337L, 400L, 500L, 2000L}) ::syscall(number);
  EXPECT_EQ(entry.seen(kNosysKey).count - before, 4u);
  EXPECT_EQ(done.seen(kNosysKey).error, static_cast<std::uint64_t>(ENOSYS));
}

#if defined(__x86_64__)
// int $0x80 makes an i386 call, from any task.
long i386_call(long number, long argument) {
  long result = 0;
  asm volatile("int $0x80"
               : "=a"(result)
               : "a"(number), "b"(argument)
               : "memory", "r8", "r9", "r10", "r11");
  return result;
}

TEST_F(Attached, CallsWithI386Numbers) {
  if (!kernel_runs_ia32()) GTEST_SKIP() << "this kernel runs no 32-bit programs";
  const auto provider = syscall_provider(true, types_);
  Counter entry(*kernel_, *provider, "syscall:entry", true);
  ASSERT_EQ(entry.error(), "");
  Counter done(*kernel_, *provider, "syscall:return", true);
  ASSERT_EQ(done.error(), "");
  if (i386_call(64, 0) != ::getppid()) GTEST_SKIP() << "int $0x80 is switched off";
  const std::uint64_t getppid = entry.seen(key("getppid")).count;
  const std::uint64_t semget = entry.seen(key("semget")).count;
  for (int i = 0; i < 10; ++i) i386_call(64, 0);  // getppid; 64 is semget on x86-64
  EXPECT_EQ(entry.seen(key("getppid")).count - getppid, 10u);
  EXPECT_EQ(entry.seen(key("semget")).count, semget);
  EXPECT_EQ(done.seen(key("getppid")).argument0, static_cast<std::uint64_t>(::getppid()));

  i386_call(6, 0x1234567);  // close
  EXPECT_EQ(entry.seen(key("close")).argument0, 0x1234567u);
  EXPECT_EQ(done.seen(key("close")).error, static_cast<std::uint64_t>(EBADF));
  i386_call(34, 0);  // nice, which x86-64 has not
  EXPECT_EQ(entry.seen(key("nice")).count, 1u);
  EXPECT_EQ(done.seen(key("nice")).count, 1u);
}
#endif

TEST_F(Attached, SamplesOfABusyCpu) {
  const auto provider = profile_provider();
  Counter profile(*kernel_, *provider, "profile:profile-4999", false);
  ASSERT_EQ(profile.error(), "");
  bool in_kernel = false, in_user = false;
  EXPECT_TRUE(busy_until([&] {
    const Seen& seen = profile.seen(0);
    if (seen.count == 0) return false;
    in_kernel |= seen.argument0 >> 63 != 0;
    in_user |= seen.argument1 != 0 && seen.argument1 >> 63 == 0;
    return in_kernel && in_user;
  })) << profile.seen(0).count;
}

TEST_F(Attached, TicksOnAnIdleMachine) {
  const auto provider = profile_provider();
  Counter tick(*kernel_, *provider, "profile:tick-20ms", false);
  ASSERT_EQ(tick.error(), "");
  ASSERT_TRUE(tick.attachment().go().ok());
  for (int i = 1; i <= 3; ++i) {
    pollfd one{tick.attachment().wait_fd(), POLLIN, 0};
    ASSERT_EQ(::poll(&one, 1, 5000), 1);
    tick.attachment().ready();
    EXPECT_GE(tick.seen(0).count, static_cast<std::uint64_t>(i));
  }
  EXPECT_EQ(tick.attachment().lost(), 0u);
}

extern "C" {
__attribute__((noinline)) int attach_test_one(int value) {
  asm volatile("" : "+r"(value));
  return value + 1;
}
__attribute__((noinline)) int attach_test_two(int value) {
  asm volatile("" : "+r"(value));
  return value + 2;
}
}

// How a kernel lets programs run at user code: by links where it has them, or by events.
class UserCode : public Attached, public testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    Attached::SetUp();
    if (IsSkipped()) return;
    const Status links = kernel::try_feature(*kernel_, kernel::Feature::kUserProbes);
    if (GetParam() && !links.ok()) GTEST_SKIP() << links.error().text;
    const auto try_feature = [](kernel::Feature) -> Status {
      return GetParam() ? Status() : Status(Error::of("not now"));
    };
    provider_ = pid_provider(types_, {}, std::make_shared<Uprobes>(types_, try_feature));
  }

  std::vector<probe::Probe> probes(const char* functions, const char* name) const {
    std::vector<probe::Probe> probes;
    const std::string text = fmt::format("pid{}:a.out:{}:{}", ::getpid(), functions, name);
    for (const probe::Description& one : provider_->create(*probe::parse_pattern(text))) {
      probes.push_back(
          {ProbeId(static_cast<std::uint32_t>(probes.size())), one, provider_->binding(one)});
    }
    return probes;
  }

  std::unique_ptr<Provider> provider_;
};

TEST_P(UserCode, EachPlaceHasItsKeyAndItsNumber) {
  const auto entries = probes("attach_test_*", "entry");
  const auto returns = probes("attach_test_*", "return");
  ASSERT_EQ(entries.size(), 2u);
  ASSERT_EQ(returns.size(), 2u);
  Counter entry(*kernel_, *provider_, "pid:entry", false, entries);
  ASSERT_EQ(entry.error(), "");
  Counter done(*kernel_, *provider_, "pid:return", false, returns);
  ASSERT_EQ(done.error(), "");
  for (int i = 0; i < 100; ++i) attach_test_one(i);
  attach_test_two(40);
  const bool is_first = entries[0].description.function == "attach_test_one";
  const std::uint32_t one = entries[is_first ? 0 : 1].binding.key;
  const std::uint32_t two = entries[is_first ? 1 : 0].binding.key;
  EXPECT_EQ(entry.seen(one).count, 100u);
  EXPECT_EQ(entry.seen(one).argument0, 99u);
  EXPECT_EQ(entry.seen(two).count, 1u);
  EXPECT_EQ(entry.seen(two).argument0, 40u);
  EXPECT_EQ(done.seen(one).argument1, 100u);
  EXPECT_EQ(done.seen(two).argument1, 42u);
  // Where in the function it returns.
  EXPECT_GT(done.seen(two).argument0, 0u);
  EXPECT_LT(done.seen(two).argument0, 100u);
}

TEST_P(UserCode, AProcessThatBorrowsOurMemoryIsNotUs) {
  const auto entries = probes("attach_test_two", "entry");
  Counter entry(*kernel_, *provider_, "pid:entry", false, entries);
  ASSERT_EQ(entry.error(), "");
  const pid_t pid = ::vfork();
  if (pid == 0) {
    attach_test_two(0);
    ::_exit(0);
  }
  ::waitpid(pid, nullptr, 0);
  EXPECT_EQ(entry.seen(entries[0].binding.key).count, 0u);
  attach_test_two(0);
  EXPECT_EQ(entry.seen(entries[0].binding.key).count, 1u);
}

INSTANTIATE_TEST_SUITE_P(Ways, UserCode, testing::Bool(),
                         [](const auto& way) { return way.param ? "Links" : "Events"; });

}  // namespace
}  // namespace dt::provider
