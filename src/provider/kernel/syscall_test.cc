// The syscall provider: its tables, and what its prologues compute for native,
// x32 and 32-bit calls.

#include <gtest/gtest.h>
#include <linux/bpf.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "provider/kernel/solaris_calls.h"
#include "provider/kernel/syscall_table.h"
#include "provider/mechanism/providers.h"
#include "testing/kernel/fake.h"
#include "testing/provider/lir_machine.h"

namespace dt::provider {
namespace {

const types::Catalog kNoTypes;

constexpr std::int32_t kStatusOffset = 16;
constexpr std::uint32_t kTableOffset = 64;

TEST(SyscallTable, IsAscendingWithoutDoubles) {
  std::set<std::string> names;
  for (const auto* calls : {&native_syscalls(), &i386_only_syscalls()}) {
    for (std::size_t i = 0; i < calls->size(); ++i) {
      if (i > 0) {
        EXPECT_LT((*calls)[i - 1].key, (*calls)[i].key);
      }
      EXPECT_TRUE(names.insert((*calls)[i].name).second) << (*calls)[i].name;
    }
  }
  EXPECT_EQ(native_syscalls().back().key, kLastSyscall);
  EXPECT_GE(i386_only_syscalls().front().key, kI386OnlyKey);
  EXPECT_LT(i386_only_syscalls().back().key, kNosysKey);
}

TEST(SyscallTable, HasOneHole) {
  std::set<std::uint32_t> keys;
  for (const Syscall& call : native_syscalls()) keys.insert(call.key);
  for (std::uint32_t number = 0; number <= kLastSyscall; ++number) {
    EXPECT_EQ(keys.contains(number), number < kHoleBegin || number >= kHoleEnd) << number;
  }
}

TEST(SyscallTable, GivesI386CallsTheKeyOfTheirName) {
  const std::vector<std::uint16_t> table = key_table();
  const struct {
    std::uint32_t number;
    const char* name;
  } calls[] = {{3, "read"},    {4, "write"},    {11, "execve"},     {20, "getpid"},  {7, "waitpid"},
               {192, "mmap2"}, {295, "openat"}, {355, "getrandom"}, {437, "openat2"}};
  for (const auto& call : calls) {
    ASSERT_NE(find_syscall(call.name), nullptr) << call.name;
    EXPECT_EQ(table[kX32Numbers + call.number], find_syscall(call.name)->key) << call.name;
  }
  EXPECT_EQ(table[kX32Numbers + 222], kNosysKey);
  EXPECT_EQ(table[kX32Numbers + 511], kNosysKey);
  // Every i386-only name is reached by a number.
  const std::set<std::uint16_t> reached(table.begin() + kX32Numbers, table.end());
  for (const Syscall& call : i386_only_syscalls()) {
    EXPECT_TRUE(reached.contains(static_cast<std::uint16_t>(call.key))) << call.name;
  }
}

// A task in the middle of a system call.
struct Call {
  std::int64_t number = 0;
  bool is_i386 = false;
  std::int64_t result = 0;
  bool keeps_cx = false;    // rcx is not what SYSCALL has left there
  std::uint64_t cs = 0x33;  // the code segment's selector
  std::uint64_t flags = 0;  // bits of the first argument
  bool operator==(const Call&) const = default;
};

class Prologue : public testing::Test {
 protected:
  std::optional<std::uint64_t> key(const char* program, const Call& call, bool ia32 = true) {
    prepare(program, call, ia32);
    return run(prologue_->enter(*emitter_, context_, leave_));
  }
  // Whether a program of one probe runs its clauses.
  bool runs_for(std::uint32_t only, const char* program, const Call& call, bool ia32) {
    const bpf::Prologue::Needs needs = {.key = true, .arguments = false, .only_key = only};
    prepare(program, call, ia32, needs);
    EXPECT_TRUE(prologue_->table().empty());
    prologue_->enter(*emitter_, context_, leave_);
    return run(emitter_->imm(1)).has_value();
  }
  // Argument 0 for clauses that run for every call, or nothing when it left.
  std::optional<std::uint64_t> argument_of_any(const char* program, const Call& call) {
    prepare(program, call, true, bpf::Prologue::Needs{.key = false, .arguments = true});
    EXPECT_TRUE(prologue_->table().empty());
    EXPECT_FALSE(prologue_->enter(*emitter_, context_, leave_).valid());
    return run(prologue_->argument(*emitter_, context_, 0));
  }
  // How many helpers the last call took.
  int helpers() const { return helpers_; }
  std::uint64_t argument(const char* program, const Call& call, std::uint32_t number) {
    prepare(program, call, true);
    prologue_->enter(*emitter_, context_, leave_);
    return run(prologue_->argument(*emitter_, context_, number)).value_or(~0ull);
  }
  std::uint64_t error(const char* program, std::int64_t result) {
    prepare(program, {.number = 0, .result = result}, true);
    prologue_->enter(*emitter_, context_, leave_);
    return run(prologue_->error_number(*emitter_, context_)).value_or(~0ull);
  }

  void prepare(const char* program, const Call& call, bool ia32,
               const std::optional<bpf::Prologue::Needs>& needs = {}) {
    emitter_.emplace();
    context_ = emitter_->context();
    leave_ = emitter_->label();
    bpf::Machine machine;
    machine.task_status = kStatusOffset;
    prologue_ = syscall_provider(ia32, kNoTypes, [this] {
                  return is_solaris_;
                })->prologue(program, machine);
    if (needs) {
      EXPECT_EQ(prologue_->prepare(*needs), needs->only_key.has_value());
    }
    const std::vector<std::uint8_t> table = prologue_->table();
    rodata_.assign(kTableOffset, 0xff);
    rodata_.insert(rodata_.end(), table.begin(), table.end());
    prologue_->table_at(kTableOffset);

    const std::uint32_t status = call.is_i386 ? 0xff : 0xfd;  // TS_COMPAT is bit 1
    std::memcpy(task_ + kStatusOffset, &status, sizeof status);
    // Every register holds its offset, the upper half marked.
    for (std::uint64_t i = 0; i < std::size(regs_); ++i) regs_[i] = 0xabcd'0000'0000 | i * 8;
    std::memcpy(&regs_[120 / 8], &call.number, sizeof call.number);
    regs_[136 / 8] = 0xabcd'0000'0000 | call.cs;
    if (!call.is_i386 && !call.keeps_cx) regs_[88 / 8] = regs_[128 / 8];
    regs_[112 / 8] |= call.flags;
    kernel_context_[0] = reinterpret_cast<std::uint64_t>(regs_);
    kernel_context_[1] = static_cast<std::uint64_t>(
        std::string_view(program) == "syscall:entry" ? call.number : call.result);
  }

  std::optional<std::uint64_t> run(bpf::Reg result) {
    const bpf::Label end = emitter_->label();
    emitter_->jump(end);
    emitter_->bind(leave_);
    emitter_->exit(0);
    emitter_->bind(end);
    LirMachine machine;
    machine.rodata = rodata_.data();
    machine.helper = [&](std::int64_t helper) {
      ++helpers_;
      if (helper == BPF_FUNC_get_current_pid_tgid) return identifiers_;
      EXPECT_EQ(helper, BPF_FUNC_get_current_task_btf);
      return reinterpret_cast<std::uint64_t>(task_);
    };
    helpers_ = 0;
    return machine.run(emitter_->code(), kernel_context_, result, leave_);
  }

  std::optional<bpf::Emitter> emitter_;
  bpf::Reg context_;
  bpf::Label leave_;
  std::unique_ptr<bpf::Prologue> prologue_;
  std::vector<std::uint8_t> rodata_;
  std::uint8_t task_[64] = {};
  std::uint64_t regs_[21] = {};
  std::uint64_t kernel_context_[2] = {};
  int helpers_ = 0;
  bool is_solaris_ = false;
  std::uint64_t identifiers_ = 0;  // process << 32 | thread
};

TEST_F(Prologue, MovesArgumentsToWhereSolarisHasThem) {
  const auto first = [&](std::int64_t number) {
    return argument("syscall:entry", {.number = number}, 0);
  };
  const std::uint64_t di = first(257), si = argument("syscall:entry", {.number = 257}, 1),
                      dx = argument("syscall:entry", {.number = 257}, 2);
  const std::uint64_t cx = argument("syscall:entry", {.number = 295, .is_i386 = true}, 1);
  is_solaris_ = true;
  EXPECT_EQ(first(0), di);    // read(fd)
  EXPECT_EQ(first(257), si);  // openat(dir, path)
  EXPECT_EQ(argument("syscall:entry", {.number = 257}, 1), dx);
  EXPECT_EQ(first(230), dx);  // clock_nanosleep(clock, flags, time)
  EXPECT_EQ(argument("syscall:entry", {.number = 230}, 4), 0u);
  EXPECT_EQ(argument("syscall:entry", {.number = 295, .is_i386 = true}, 0), cx);
}

// The registers of Call have bits above the 32 that the kernel reads.
TEST_F(Prologue, GivesNegativeNumbersTheirSignForSolaris) {
  const auto first = [&](std::int64_t number) {
    const Call call = {.number = number, .flags = 0xfffffff9};
    return static_cast<std::int64_t>(argument("syscall:entry", call, 0));
  };
  const std::int64_t whole = first(62);
  EXPECT_GT(whole, INT64_C(0xffffffff));
  is_solaris_ = true;
  EXPECT_EQ(first(62), -7);    // kill(group)
  EXPECT_EQ(first(61), -7);    // wait4(group)
  EXPECT_EQ(first(0), whole);  // read(fd)
}

TEST_F(Prologue, GivesErrorsAsSolarisDoes) {
  EXPECT_EQ(argument("syscall:return", {.result = -2}, 0), static_cast<std::uint64_t>(-2));
  is_solaris_ = true;
  for (const std::int64_t failed : {-1, -2, -512, -4095}) {
    EXPECT_EQ(argument("syscall:return", {.result = failed}, 1), ~0ull) << failed;
  }
  for (const std::int64_t result : {0L, 7L, -4096L, INT64_MIN}) {
    EXPECT_EQ(argument("syscall:return", {.result = result}, 1),
              static_cast<std::uint64_t>(result));
  }
}

TEST_F(Prologue, TellsThreadsFromProcessesForSolaris) {
  constexpr std::uint64_t kThread = 0x10000;
  EXPECT_EQ(key("syscall:entry", {.number = 56, .flags = kThread}), 56u);
  is_solaris_ = true;
  for (const char* program : {"syscall:entry", "syscall:return"}) {
    EXPECT_EQ(key(program, {.number = 56, .result = 8}), 56u);
    EXPECT_EQ(key(program, {.number = 56, .result = 8, .flags = kThread}), kSolarisThreadKey);
  }
  // What was made returns 0, from clone() as from clone3(), and its identifiers tell what it is.
  for (const std::int64_t number : {56, 435}) {
    identifiers_ = 0x700000007;
    EXPECT_EQ(key("syscall:return", {.number = number, .flags = kThread}),
              static_cast<std::uint64_t>(number));
    identifiers_ = 0x700000008;
    EXPECT_EQ(key("syscall:return", {.number = number}), kSolarisThreadKey);
  }
  // Even where each call runs the clauses, the arguments depend on it.
  prepare("syscall:entry", {.number = 257}, true,
          bpf::Prologue::Needs{.key = false, .arguments = true});
  EXPECT_TRUE(prologue_->enter(*emitter_, context_, leave_).valid());
}

TEST_F(Prologue, GivesNativeCallsTheirNumber) {
  for (const char* program : {"syscall:entry", "syscall:return"}) {
    for (const Syscall& call : native_syscalls()) {
      EXPECT_EQ(key(program, {.number = call.key}), call.key) << program << ' ' << call.name;
    }
    EXPECT_EQ(key(program, {.number = 0}, false), 0u);
    EXPECT_EQ(key(program, {.number = 471}, false), 471u);
  }
}

TEST_F(Prologue, GivesNumbersWithoutANameToNosys) {
  for (const std::int64_t number : {337L, 400L, 423L, 472L, 511L, 512L, 520L, 547L, 9999L,
                                    0x7fffffffL, 0x40000000L + 400, 0x40000000L + 548}) {
    EXPECT_EQ(key("syscall:entry", {.number = number}), kNosysKey) << number;
    EXPECT_EQ(key("syscall:return", {.number = number}), kNosysKey) << number;
  }
  EXPECT_EQ(key("syscall:entry", {.number = -1}), kNosysKey);
  EXPECT_EQ(key("syscall:entry", {.number = 222, .is_i386 = true}), kNosysKey);
  EXPECT_EQ(key("syscall:entry", {.number = 512, .is_i386 = true}), kNosysKey);
}

TEST_F(Prologue, LeavesAtTheEndOfASignalHandler) {
  EXPECT_FALSE(key("syscall:return", {.number = -1}).has_value());
}

TEST_F(Prologue, TellsI386CallsApart) {
  EXPECT_EQ(key("syscall:entry", {.number = 3, .is_i386 = true}), 0u);     // read
  EXPECT_EQ(key("syscall:return", {.number = 20, .is_i386 = true}), 39u);  // getpid
  EXPECT_EQ(key("syscall:entry", {.number = 7, .is_i386 = true}), find_syscall("waitpid")->key);
  // Where there are no 32-bit tasks the bit means nothing.
  EXPECT_EQ(key("syscall:entry", {.number = 3, .is_i386 = true}, false), 3u);
}

TEST_F(Prologue, AsksNoHelperInANativeCall) {
  for (const char* program : {"syscall:entry", "syscall:return"}) {
    key(program, {.number = 3});
    EXPECT_EQ(helpers(), 0) << program;
    argument(program, {.number = 3}, 2);
    EXPECT_EQ(helpers(), 0) << program;
  }
}

TEST_F(Prologue, BelievesTheTaskWhereTheRegistersLeaveADoubt) {
  for (const char* program : {"syscall:entry", "syscall:return"}) {
    EXPECT_EQ(key(program, {.number = 3, .keeps_cx = true}), 3u) << program;
    EXPECT_EQ(helpers(), 1) << program;
    EXPECT_EQ(key(program, {.number = 3, .cs = 0xe033}), 3u) << program;
    EXPECT_EQ(helpers(), 1) << program;
    EXPECT_EQ(key(program, {.number = 3, .is_i386 = true, .cs = 0x23}), 0u) << program;
  }
  EXPECT_EQ(argument("syscall:entry", {.number = 3, .keeps_cx = true}, 0), 0xabcd'0000'0000 | 112);
}

TEST_F(Prologue, LeavesAtOnceWithOtherCallsThanTheOnlyOne) {
  std::vector<std::int64_t> numbers = {-1, 1 << 20};
  for (std::int64_t n = 0; n < 600; ++n) {
    numbers.push_back(n);
    numbers.push_back(0x40000000 | n);
  }
  // One of each kind: with the same number for i386 (read of x86-64 is 0), with
  // a number that is i386's of another, with x32's own, of i386 alone.
  const char* const names[] = {"getppid", "read", "openat2", "rt_sigaction", "mmap", "waitpid"};
  for (const char* const name : names) {
    const std::uint32_t only = find_syscall(name)->key;
    for (const char* program : {"syscall:entry", "syscall:return"}) {
      for (const std::int64_t n : numbers) {
        for (const Call& call : {Call{.number = n}, Call{.number = n, .is_i386 = true},
                                 Call{.number = n, .keeps_cx = true}}) {
          ASSERT_EQ(runs_for(only, program, call, true), key(program, call) == only)
              << name << ' ' << program << ' ' << n << (call.is_i386 ? " of i386" : "");
        }
        ASSERT_EQ(runs_for(only, program, {.number = n}, false),
                  key(program, {.number = n}, false) == only)
            << name << ' ' << program << ' ' << n << " without i386";
      }
    }
  }
  runs_for(find_syscall("getppid")->key, "syscall:entry", {.number = 1, .keeps_cx = true}, true);
  EXPECT_EQ(helpers(), 0);
}

TEST_F(Prologue, FindsArgumentsWithoutTheKey) {
  EXPECT_EQ(argument_of_any("syscall:entry", {.number = 1}), 0xabcd'0000'0000 | 112);
  EXPECT_EQ(helpers(), 0);
  EXPECT_EQ(argument_of_any("syscall:entry", {.number = 3, .is_i386 = true}), 40u);
  EXPECT_EQ(argument_of_any("syscall:return", {.number = 3, .is_i386 = true, .result = 9}), 9u);
  EXPECT_FALSE(argument_of_any("syscall:return", {.number = -1}).has_value());
}

TEST_F(Prologue, UnderstandsX32Numbers) {
  EXPECT_EQ(key("syscall:entry", {.number = 0x40000000L + 1}), 1u);
  EXPECT_EQ(key("syscall:entry", {.number = 0x40000000L + 512}), 13u);   // rt_sigaction
  EXPECT_EQ(key("syscall:entry", {.number = 0x40000000L + 547}), 328u);  // pwritev2
}

TEST_F(Prologue, ReadsTheRegistersOfTheCallingConvention) {
  const std::uint64_t native[] = {112, 104, 96, 56, 72, 64};
  const std::uint64_t i386[] = {40, 88, 96, 104, 112, 32};
  for (std::uint32_t i = 0; i < 6; ++i) {
    EXPECT_EQ(argument("syscall:entry", {.number = 0}, i), 0xabcd'0000'0000 | native[i]) << i;
    EXPECT_EQ(argument("syscall:entry", {.number = 3, .is_i386 = true}, i), i386[i]) << i;
  }
  EXPECT_EQ(argument("syscall:entry", {.number = 400}, 6), 400u);
  EXPECT_EQ(argument("syscall:return", {.number = 400}, 6), 400u);
  EXPECT_EQ(argument("syscall:entry", {.number = 0}, 7), 0u);
}

TEST_F(Prologue, GivesTheResultTwiceAtReturn) {
  EXPECT_EQ(argument("syscall:return", {.number = 0, .result = 77}, 0), 77u);
  EXPECT_EQ(argument("syscall:return", {.number = 0, .result = -2}, 1),
            static_cast<std::uint64_t>(-2));
  EXPECT_EQ(argument("syscall:return", {.number = 0, .result = 77}, 9), 0u);
}

TEST_F(Prologue, GivesTheArgumentsOfTheCallBehindTheResult) {
  const std::uint64_t native[] = {112, 104, 96, 56, 72, 64};
  const std::uint64_t i386[] = {40, 88, 96, 104, 112, 32};
  const std::uint32_t numbers[] = {2, 3, 4, 5, 7, 8};  // 6 is the number of the call
  for (std::uint32_t i = 0; i < 6; ++i) {
    EXPECT_EQ(argument("syscall:return", {.number = 0}, numbers[i]), 0xabcd'0000'0000 | native[i]);
    EXPECT_EQ(argument("syscall:return", {.number = 3, .is_i386 = true}, numbers[i]), i386[i]);
  }
}

TEST_F(Prologue, TellsErrorsFromResults) {
  EXPECT_EQ(error("syscall:return", -2), 2u);
  EXPECT_EQ(error("syscall:return", -4095), 4095u);
  EXPECT_EQ(error("syscall:return", -4096), 0u);  // an address, as mmap may return
  EXPECT_EQ(error("syscall:return", 0), 0u);
  EXPECT_EQ(error("syscall:return", -511), 511u);
  for (const int restart : {512, 513, 514, 516}) {
    EXPECT_EQ(error("syscall:return", -restart), static_cast<std::uint64_t>(EINTR)) << restart;
  }
  EXPECT_EQ(error("syscall:return", -517), 517u);
  EXPECT_EQ(error("syscall:return", 5), 0u);
  EXPECT_EQ(error("syscall:entry", -2), 0u);
}

TEST(SyscallProvider, KnowsTheTypesOfArguments) {
  const auto provider = syscall_provider(true, kNoTypes);
  const auto openat = provider->arguments({"syscall", "vmlinux", "openat", "entry"});
  ASSERT_TRUE(openat.has_value());
  ASSERT_EQ(openat->size(), 4u);
  EXPECT_EQ((*openat)[0].type, "int");
  EXPECT_FALSE((*openat)[0].userland);
  EXPECT_EQ((*openat)[1].type, "const char *");
  EXPECT_TRUE((*openat)[1].userland);
  EXPECT_EQ((*openat)[3].type, "umode_t");
  const auto getpid = provider->arguments({"syscall", "vmlinux", "getpid", "entry"});
  ASSERT_TRUE(getpid.has_value());
  EXPECT_TRUE(getpid->empty());
  const auto done = provider->arguments({"syscall", "vmlinux", "openat", "return"});
  ASSERT_TRUE(done.has_value());
  ASSERT_EQ(done->size(), 2u);
  EXPECT_EQ((*done)[0].type, "long");
  EXPECT_FALSE(provider->arguments({"syscall", "vmlinux", "nosys", "entry"}).has_value());
}

TEST(SyscallProvider, ListsI386CallsWhereTheyCanHappen) {
  const std::size_t with = syscall_provider(true, kNoTypes)->list().size();
  const std::size_t without = syscall_provider(false, kNoTypes)->list().size();
  EXPECT_EQ(with - without, 2 * i386_only_syscalls().size());
}

TEST(SyscallProvider, ServesEveryProbeWithTwoPrograms) {
  const auto provider = syscall_provider(true, kNoTypes);
  std::set<std::string> programs;
  std::set<std::pair<std::string, std::uint32_t>> keys;
  for (const probe::Description& probe : provider->list()) {
    const probe::Binding binding = provider->binding(probe);
    programs.insert(binding.program);
    EXPECT_TRUE(keys.insert({binding.program, binding.key}).second) << probe::to_string(probe);
  }
  EXPECT_EQ(programs, (std::set<std::string>{"syscall:entry", "syscall:return"}));
}

// Each call of Linux has one name, so that no firing counts twice.
TEST(SyscallProvider, GivesEachCallOneNameOfSolaris) {
  const auto solaris = syscall_provider(true, kNoTypes, [] { return true; });
  std::set<std::pair<std::string, std::uint32_t>> keys;
  for (const probe::Description& probe : solaris->list()) {
    const probe::Binding binding = solaris->binding(probe);
    EXPECT_TRUE(keys.insert({binding.program, binding.key}).second) << probe::to_string(probe);
  }
  const std::size_t linux_calls = syscall_provider(true, kNoTypes)->list().size();
  EXPECT_EQ(keys.size(), linux_calls + 2 + 2 * solaris_absent_calls().size());
  for (const SolarisCall& call : solaris_calls()) {
    EXPECT_NE(find_syscall(call.linux_name), nullptr) << call.linux_name;
    EXPECT_EQ(find_solaris_call(call.linux_name), &call) << call.linux_name;  // they are sorted
  }
  EXPECT_EQ(solaris->arguments({"syscall", "openat", "open", "entry"})->size(), 3u);
}

TEST(SyscallProvider, DetachesWhenTheAttachmentGoes) {
  kernel::FakeKernel kernel;
  const auto provider = syscall_provider(true, kNoTypes);
  auto program = kernel.load_program({.name = "dt_sys_enter"}, {}, false);
  ASSERT_TRUE(program.ok());
  const std::size_t before = kernel.open_descriptors();
  {
    auto attachment = provider->attach("syscall:entry", {}, *program, kernel);
    ASSERT_TRUE(attachment.ok()) << attachment.error().text;
    EXPECT_EQ(kernel.open_descriptors(), before + 1);
  }
  EXPECT_EQ(kernel.open_descriptors(), before);
  kernel.fail(kernel::FakeKernel::Call::kAttachRawTracepoint, 1, EPERM);
  EXPECT_FALSE(provider->attach("syscall:return", {}, *program, kernel).ok());
}

// A file that is removed.
class File {
 public:
  explicit File(const std::string& bytes) {
    const Fd fd(::mkstemp(path_));
    EXPECT_EQ(::write(fd.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  ~File() { ::unlink(path_); }
  const char* path() const { return path_; }

 private:
  char path_[32] = "/tmp/dt_syscall_test_XXXXXX";
};

TEST(SyscallProvider, SaysWhichTypesOfTheKernelAreMissing) {
  types::Catalog absent;
  absent.add_source(types::kernel_btf_source("/nonexistent/btf"));
  const auto without = syscall_provider(true, absent)->program_spec("syscall:entry");
  ASSERT_FALSE(without.ok());
  EXPECT_NE(without.error().text.find("/nonexistent/btf"), std::string::npos);
  EXPECT_NE(without.error().remedy.find("CONFIG_DEBUG_INFO_BTF"), std::string::npos);
  // A directory is there, and cannot be read: another kernel would not help.
  types::Catalog unreadable;
  unreadable.add_source(types::kernel_btf_source("/"));
  const auto not_read = syscall_provider(true, unreadable)->program_spec("syscall:entry");
  ASSERT_FALSE(not_read.ok());
  EXPECT_EQ(not_read.error().remedy, "");
  // A header, no types, and the empty string.
  const unsigned char header[25] = {0x9f, 0xeb, 1, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0,
                                    0,    0,    0, 0, 0,  0, 0, 1, 0, 0, 0, 0};
  const File empty(std::string(reinterpret_cast<const char*>(header), sizeof header));
  types::Catalog types;
  types.add_source(types::kernel_btf_source(empty.path()));
  const auto untyped = syscall_provider(true, types)->program_spec("syscall:return");
  ASSERT_FALSE(untyped.ok());
  EXPECT_NE(untyped.error().text.find("btf_trace_sys_exit"), std::string::npos);
  EXPECT_FALSE(untyped.error().remedy.empty());
}

}  // namespace
}  // namespace dt::provider
