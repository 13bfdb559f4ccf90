// Names in this very process, in libc, in the vDSO, in a child and after its end.

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <utility>

#include "symbol/process/process.h"
#include "symbol/resolve/resolver.h"

namespace dt::symbol {

// Not in an unnamed namespace: its mangled name is what is tested.
__attribute__((noinline)) int function_to_find(int x) { return x + static_cast<int>(::getpid()); }

namespace {

extern "C" __attribute__((noinline, used)) int dt_plain_function(int x) {
  return x * 3 + static_cast<int>(::getpid());
}

// What the resolver is asked about: initialized, zero, constant and an array.
extern "C" {
__attribute__((used)) int dt_variable = 3;
__attribute__((used)) int dt_zero[8];
__attribute__((used)) extern const int dt_constant = 5;
}

UserAddr address_of(const void* pointer) {
  return UserAddr(reinterpret_cast<std::uintptr_t>(pointer));
}

std::string own_name() { return object_name(read_file("/proc/self/cmdline", 4096).c_str()); }

TEST(SystemResolver, FindsFunctionsOfThisProgram) {
  const auto resolver = system_resolver();
  const auto plain = address_of(reinterpret_cast<const void*>(&dt_plain_function));
  EXPECT_EQ(user_text(*resolver, ::getpid(), plain, true), own_name() + "`dt_plain_function");
  EXPECT_EQ(user_text(*resolver, ::getpid(), UserAddr(plain.value + 1), true),
            own_name() + "`dt_plain_function+0x1");
  EXPECT_EQ(user_text(*resolver, ::getpid(), UserAddr(plain.value + 1), false),
            own_name() + "`dt_plain_function");
  const auto mangled = address_of(reinterpret_cast<const void*>(&function_to_find));
  EXPECT_EQ(user_text(*resolver, ::getpid(), mangled, true),
            own_name() + "`dt::symbol::function_to_find(int)");
}

TEST(SystemResolver, FindsFunctionsOfLibc) {
  const auto resolver = system_resolver();
  // Of libc itself: a sanitizer has functions of the same names.
  void* libc = ::dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(libc, nullptr);
  for (const char* name : {"qsort", "puts", "fopen", "getenv"}) {
    void* function = ::dlsym(libc, name);
    ASSERT_NE(function, nullptr);
    Symbol symbol;
    ASSERT_TRUE(resolver->user(::getpid(), address_of(function), symbol));
    EXPECT_EQ(symbol.module, "libc.so.6");
    EXPECT_EQ(symbol.name, name);
    EXPECT_EQ(symbol.offset, 0U);
  }
}

TEST(SystemResolver, SaysOnceThatFilesCannotBeOpened) {
  const auto resolver = system_resolver();
  const auto first = address_of(reinterpret_cast<const void*>(&dt_plain_function));
  resolver->note_process(::getpid());
  const int free = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(free, 0);
  ::close(free);
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none = {static_cast<rlim_t>(free), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const std::string name = user_text(*resolver, ::getpid(), first, true);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(name.find("dt_plain_function"), std::string::npos) << name;
  EXPECT_NE(resolver->take_notice().find("too many open files"), std::string::npos);
  EXPECT_EQ(resolver->take_notice(), "");
}

TEST(SystemResolver, FindsVariables) {
  const auto resolver = system_resolver();
  const auto text = [&](const void* address, bool with_offset) {
    return user_text(*resolver, ::getpid(), address_of(address), with_offset);
  };
  EXPECT_EQ(text(&dt_variable, true), own_name() + "`dt_variable");
  EXPECT_EQ(text(&dt_constant, true), own_name() + "`dt_constant");
  EXPECT_EQ(text(&dt_zero[2], true), own_name() + "`dt_zero+0x8");
  EXPECT_EQ(text(&dt_zero[2], false), own_name() + "`dt_zero");
  void* libc = ::dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(libc, nullptr);
  EXPECT_EQ(text(::dlsym(libc, "_IO_2_1_stdout_"), true), "libc.so.6`_IO_2_1_stdout_");
  const auto in_heap = std::make_unique<int>(1);
  EXPECT_EQ(text(in_heap.get(), true), fmt::format("0x{:x}", address_of(in_heap.get()).value));
}

TEST(SystemResolver, FindsFunctionsOfTheVdso) {
  const std::uint64_t base = ::getauxval(AT_SYSINFO_EHDR);
  if (base == 0) {
    GTEST_SKIP() << "this kernel maps no vDSO";
  }
  const auto resolver = system_resolver();
  // Somewhere in the text there is clock_gettime.
  bool found = false;
  for (std::uint64_t at = base; at < base + 0x2000 && !found; at += 16) {
    Symbol symbol;
    ASSERT_TRUE(resolver->user(::getpid(), UserAddr(at), symbol));
    EXPECT_EQ(symbol.module, "[vdso]");
    found = symbol.name == "clock_gettime";
  }
  EXPECT_TRUE(found);
}

TEST(SystemResolver, AnAddressInNoMappingIsANumber) {
  const auto resolver = system_resolver();
  EXPECT_EQ(user_text(*resolver, ::getpid(), UserAddr(0x10), true), "0x10");
  EXPECT_EQ(user_text(*resolver, 0x7ffffffe, UserAddr(0x7f0000001234), true), "0x7f0000001234");
}

TEST(SystemResolver, WhatWasNotedOfAProcessOutlivesIt) {
  const auto resolver = system_resolver();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 0;
    ::close(ends[1]);
    ::_exit(static_cast<int>(::read(ends[0], &byte, 1)));
  }
  ASSERT_GT(child, 0);
  resolver->note_process(child);
  ::close(ends[0]);
  ::close(ends[1]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  const auto plain = address_of(reinterpret_cast<const void*>(&dt_plain_function));
  EXPECT_EQ(user_text(*resolver, child, plain, true), own_name() + "`dt_plain_function");
  EXPECT_EQ(user_text(*resolver, child, address_of(&dt_variable), true),
            own_name() + "`dt_variable");
}

// A process that maps a copy of this program, and may end.
class MapsACopy : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string maps = read_file("/proc/self/maps", kMaxMapsBytes);
    const auto plain = address_of(reinterpret_cast<const void*>(&dt_plain_function));
    const auto own = parse_maps(maps);
    const Mapping* mapping = last_from(own, plain.value);
    ASSERT_NE(mapping, nullptr);
    const int out = ::mkstemp(path_.data());
    ASSERT_GE(out, 0);
    std::ofstream(path_) << std::ifstream("/proc/self/exe").rdbuf();
    size_ = mapping->end - mapping->begin;
    code_ = ::mmap(nullptr, size_, PROT_READ | PROT_EXEC, MAP_PRIVATE, out,
                   static_cast<off_t>(mapping->file_offset));
    ::close(out);
    ASSERT_NE(code_, MAP_FAILED);
    function_ = UserAddr(address_of(code_).value + (plain.value - mapping->begin));
    name_ = object_name(path_) + "`dt_plain_function";
    ASSERT_EQ(::pipe(ends_), 0);
    child_ = ::fork();
    if (child_ == 0) {
      char byte = 0;
      ::close(ends_[1]);
      ::_exit(static_cast<int>(::read(ends_[0], &byte, 1)));
    }
    ASSERT_GT(child_, 0);
  }
  void TearDown() override {
    end();
    ::unlink(path_.c_str());
    if (code_ != MAP_FAILED) ::munmap(code_, size_);
  }
  void end() {
    if (child_ <= 0) return;
    ::close(ends_[0]);
    ::close(ends_[1]);
    ::waitpid(std::exchange(child_, 0), nullptr, 0);
  }

  std::string path_ = "/tmp/copy-XXXXXX", name_;
  void* code_ = MAP_FAILED;
  std::size_t size_ = 0;
  UserAddr function_{0};
  int ends_[2] = {-1, -1};
  pid_t child_ = 0;
};

TEST_F(MapsACopy, ThatWasDeletedKeepsItsNames) {
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  const auto resolver = system_resolver();
  const pid_t pid = child_;
  resolver->note_process(pid);
  end();
  const std::string kept = user_text(*resolver, pid, function_, true);
  EXPECT_EQ(kept.substr(kept.find('`')), "`dt_plain_function");
}

TEST_F(MapsACopy, ThatIsDeletedOnceItIsHeldKeepsItsNames) {
  const auto resolver = system_resolver();
  const pid_t pid = child_;
  resolver->hold_process(pid);
  end();
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  EXPECT_EQ(user_text(*resolver, pid, function_, true), name_);
}

TEST(SystemResolver, ReadsThePerfMapOfAJit) {
  void* code =
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) {
    GTEST_SKIP() << "no memory may be writable and executable here";
  }
  const std::string path = fmt::format("/tmp/perf-{}.map", ::getpid());
  {
    std::ofstream map(path);
    map << fmt::format("{:x} 40 Interpreter::run\n", address_of(code).value);
  }
  const auto resolver = system_resolver();
  EXPECT_EQ(user_text(*resolver, ::getpid(), UserAddr(address_of(code).value + 4), true),
            "[jit]`Interpreter::run+0x4");
  EXPECT_EQ(user_text(*resolver, ::getpid(), UserAddr(address_of(code).value + 0x40), true),
            fmt::format("0x{:x}", address_of(code).value + 0x40));
  ::unlink(path.c_str());
  ::munmap(code, 4096);
}

// A process that looks like those of Java: it has mapped a file of this name, and code without one.
TEST(SystemResolver, WhatJavaAndNodeNeedForNamesIsSaid) {
  char directory[] = "/tmp/dt-jit-XXXXXX";
  ASSERT_NE(::mkdtemp(directory), nullptr);
  const auto looks_like = [&](const char* file) -> std::string {
    const std::string path = fmt::format("{}/{}", directory, file);
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0700);
    EXPECT_EQ(::ftruncate(fd, 4096), 0);
    void* library = ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    ::close(fd);
    void* code = ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (library == MAP_FAILED || code == MAP_FAILED) return "not mapped";
    const auto resolver = system_resolver();
    EXPECT_EQ(resolver->jit_notice(), "");
    EXPECT_EQ(user_text(*resolver, ::getpid(), address_of(code), true),
              fmt::format("0x{:x}", address_of(code).value));
    ::munmap(library, 4096);
    ::munmap(code, 4096);
    ::unlink(path.c_str());
    return resolver->jit_notice();
  };
  EXPECT_EQ(looks_like("libjvm.so"),
            fmt::format("methods that Java has compiled have no names: 'jcmd {} Compiler.perfmap' "
                        "writes them, and java -XX:+PreserveFramePointer makes stacks whole",
                        ::getpid()));
  EXPECT_EQ(looks_like("node"),
            fmt::format("functions that Node has compiled have no names in process {}: it writes "
                        "them if it is started with node --perf-basic-prof",
                        ::getpid()));
  EXPECT_EQ(looks_like("libother.so"), "");
  ::rmdir(directory);
}

TEST(SystemResolver, APerfMapThatIsNoneOfTheProcessHasNoNames) {
  void* code =
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) {
    GTEST_SKIP() << "no memory may be writable and executable here";
  }
  const std::string path = fmt::format("/tmp/perf-{}.map", ::getpid()), other = path + ".other";
  const std::string line = fmt::format("{:x} 40 somebody\n", address_of(code).value);
  const std::string number = fmt::format("0x{:x}", address_of(code).value);
  const auto name = [&] {
    std::string text = user_text(*system_resolver(), ::getpid(), address_of(code), true);
    ::remove(path.c_str());
    return text;
  };
  std::ofstream(other) << line;
  ASSERT_EQ(::symlink(other.c_str(), path.c_str()), 0);
  EXPECT_EQ(name(), number) << "a symbolic link";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(name(), number) << "a FIFO";
  ASSERT_EQ(::mkdir(path.c_str(), 0700), 0);
  EXPECT_EQ(name(), number) << "a directory";
  if (::getuid() == 0) {
    // This process is root's: a process of another user must not give it names.
    std::ofstream(path) << line;
    ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
    EXPECT_EQ(name(), number) << "of somebody else";
  }
  std::ofstream(path) << line;
  ASSERT_EQ(::truncate(path.c_str(), off_t{10} << 30), 0);
  EXPECT_EQ(name(), "[jit]`somebody") << "ten gigabytes, most of them a hole";
  ::unlink(other.c_str());
  ::munmap(code, 4096);
}

// Texts without a system behind them.
class OneSymbol final : public Resolver {
 public:
  explicit OneSymbol(Symbol symbol) : symbol_(std::move(symbol)) {}
  bool kernel(KernelAddr, Symbol& out) override {
    out = symbol_;
    return true;
  }
  bool user(std::int32_t, UserAddr, Symbol&) override { return false; }
  void note_process(std::int32_t) override {}

 private:
  Symbol symbol_;
};

TEST(Names, AreModuleSymbolAndOffset) {
  OneSymbol inside({"vmlinux", "vfs_read", 0x1f});
  OneSymbol start({"vmlinux", "vfs_read", 0});
  OneSymbol module({"ext4", "", 0x100});
  EXPECT_EQ(kernel_text(inside, KernelAddr(0x50), true), "vmlinux`vfs_read+0x1f");
  EXPECT_EQ(kernel_text(inside, KernelAddr(0x50), false), "vmlinux`vfs_read");
  EXPECT_EQ(kernel_text(start, KernelAddr(0x50), true), "vmlinux`vfs_read");
  EXPECT_EQ(kernel_text(module, KernelAddr(0x50), true), "ext4`0x50");
  EXPECT_EQ(user_text(start, 1, UserAddr(0x50), true), "0x50");
}

}  // namespace
}  // namespace dt::symbol
