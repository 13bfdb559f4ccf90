// The syscall provider: its tables, and what its prologues compute for native,
// x32 and 32-bit calls.

#include <gtest/gtest.h>

#include <set>

#include "kernel/fake.h"
#include "provider/all.h"
#include "provider/lir_machine.h"
#include "provider/syscall_table.h"

namespace dt::provider {
namespace {

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
};

class Prologue : public testing::Test {
 protected:
  std::optional<std::uint64_t> key(const char* program, const Call& call, bool ia32 = true) {
    prepare(program, call, ia32);
    return run(prologue_->enter(*emitter_, context_, leave_));
  }
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

 private:
  void prepare(const char* program, const Call& call, bool ia32) {
    emitter_.emplace();
    context_ = emitter_->context();
    leave_ = emitter_->label();
    bpf::Machine machine;
    machine.task_status = kStatusOffset;
    prologue_ = syscall_provider(ia32)->prologue(program, machine);
    const std::vector<std::uint8_t> table = prologue_->table();
    rodata_.assign(kTableOffset, 0xff);
    rodata_.insert(rodata_.end(), table.begin(), table.end());
    prologue_->table_at(kTableOffset);

    const std::uint32_t status = call.is_i386 ? 0xff : 0xfd;  // TS_COMPAT is bit 1
    std::memcpy(task_ + kStatusOffset, &status, sizeof status);
    // Every register holds its offset, the upper half marked.
    for (std::uint64_t i = 0; i < std::size(regs_); ++i) regs_[i] = 0xabcd'0000'0000 | i * 8;
    std::memcpy(&regs_[120 / 8], &call.number, sizeof call.number);
    kernel_context_[0] = 0xdead;  // not to be followed
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
      EXPECT_TRUE(helper == 158 || helper == 175) << helper;
      return helper == 158 ? reinterpret_cast<std::uint64_t>(task_)
                           : reinterpret_cast<std::uint64_t>(regs_);
    };
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
};

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
  EXPECT_EQ(argument("syscall:return", {.number = 0, .result = 77}, 2), 0u);
}

TEST_F(Prologue, TellsErrorsFromResults) {
  EXPECT_EQ(error("syscall:return", -2), 2u);
  EXPECT_EQ(error("syscall:return", -4095), 4095u);
  EXPECT_EQ(error("syscall:return", -4096), 0u);  // an address, as mmap may return
  EXPECT_EQ(error("syscall:return", 0), 0u);
  EXPECT_EQ(error("syscall:return", 5), 0u);
  EXPECT_EQ(error("syscall:entry", -2), 0u);
}

TEST(SyscallProvider, KnowsTheTypesOfArguments) {
  const auto provider = syscall_provider(true);
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
  const std::size_t with = syscall_provider(true)->list().size();
  const std::size_t without = syscall_provider(false)->list().size();
  EXPECT_EQ(with - without, 2 * i386_only_syscalls().size());
}

TEST(SyscallProvider, ServesEveryProbeWithTwoPrograms) {
  const auto provider = syscall_provider(true);
  std::set<std::string> programs;
  std::set<std::pair<std::string, std::uint32_t>> keys;
  for (const probe::Description& probe : provider->list()) {
    const probe::Binding binding = provider->binding(probe);
    programs.insert(binding.program);
    EXPECT_TRUE(keys.insert({binding.program, binding.key}).second) << probe::to_string(probe);
  }
  EXPECT_EQ(programs, (std::set<std::string>{"syscall:entry", "syscall:return"}));
}

TEST(SyscallProvider, DetachesWhenTheAttachmentGoes) {
  kernel::FakeKernel kernel;
  const auto provider = syscall_provider(true);
  const auto spec = provider->program_spec("syscall:entry");
  auto program = kernel.load_program(spec, {}, false);
  ASSERT_TRUE(program.ok());
  const std::size_t before = kernel.open_descriptors();
  {
    auto attachment = provider->attach("syscall:entry", *program, kernel);
    ASSERT_TRUE(attachment.ok()) << attachment.error().text;
    EXPECT_EQ(kernel.open_descriptors(), before + 1);
  }
  EXPECT_EQ(kernel.open_descriptors(), before);
  kernel.fail(kernel::FakeKernel::Call::kAttachRawTracepoint, 1, EPERM);
  EXPECT_FALSE(provider->attach("syscall:return", *program, kernel).ok());
}

}  // namespace
}  // namespace dt::provider
