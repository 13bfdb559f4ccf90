// /proc/PID/maps, perf maps, and files that others can write.

#include "symbol/process/process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "kernel/kept.h"
#include "support/fd.h"
#include "symbol/elf/demangle.h"
#include "symbol/process/object_path.h"
#include "symbol/process/programs_to_come.h"
#include "symbol/resolve/object_symbols.h"

namespace dt::symbol {
namespace {

// Between reading and opening, a program moves the code that it maps, and replaces the file.
TEST(ProcessFiles, AnObjectIsFoundWhenItsMappingHasMoved) {
  constexpr std::size_t kSize = 4096;
  const std::string path = testing::TempDir() + fmt::format("moves{}.so", ::getpid());
  const auto write_file = [](const std::string& to) {
    std::ofstream(to) << std::string(kSize, 'x');
  };
  write_file(path);
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  void* const at = ::mmap(nullptr, kSize, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd.get(), 0);
  ASSERT_NE(at, MAP_FAILED);
  const std::vector<ProcessObject> objects = objects_of(::getpid()).value();
  const auto object = std::find_if(objects.begin(), objects.end(),
                                   [&](const ProcessObject& one) { return one.path == path; });
  ASSERT_NE(object, objects.end());
  void* const other = ::mmap(nullptr, kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_EQ(::mremap(at, kSize, kSize, MREMAP_MAYMOVE | MREMAP_FIXED, other), other);
  struct stat mapped {};
  struct stat found {};
  ASSERT_EQ(::fstat(fd.get(), &mapped), 0);
  if (mapped.st_dev != object->device) {
    GTEST_SKIP() << "of layers, a mapping has another device than its file";
  }
  ASSERT_EQ(::stat(path_of(*object).c_str(), &found), 0);
  EXPECT_EQ(found.st_ino, mapped.st_ino);
  // A file that has replaced the mapped one at this path is not opened instead of it.
  write_file(path + ".new");
  ASSERT_EQ(::rename((path + ".new").c_str(), path.c_str()), 0);
  EXPECT_EQ(path_of(*object), object->open_path);
  ::munmap(other, kSize);
  std::filesystem::remove(path);
}

TEST(ProcessFiles, KeepsExecutableMappings) {
  const auto maps = parse_maps(
      "7f0000002000-7f0000003000 r-xp 00001000 fd:01 1234                       /lib/libc.so.6\n"
      "55d0c0000000-55d0c0001000 r--p 00000000 08:02 77   /usr/bin/a b (deleted)\n"
      "55d0c0001000-55d0c0002000 r-xp 00001000 08:02 77   /usr/bin/a b (deleted)\n"
      "7ffd00000000-7ffd00001000 r-xp 00000000 00:00 0                          [vdso]\n"
      "7e0000000000-7e0000001000 rwxp 00000000 00:00 0 \n");
  ASSERT_EQ(maps.size(), 4U);
  EXPECT_EQ(maps[0].begin, 0x55d0c0001000U);
  EXPECT_EQ(maps[0].path, "/usr/bin/a b (deleted)");
  EXPECT_EQ(maps[0].inode, 77U);
  EXPECT_EQ(maps[1].path, "");
  EXPECT_EQ(maps[2].file_offset, 0x1000U);
  EXPECT_EQ(maps[3].path, "[vdso]");
}

TEST(ProcessFiles, DamagedMapsAreSkipped) {
  EXPECT_TRUE(parse_maps("\nx\n1-2\n1-2 r-xp\n5-4 r-xp 0 0:0 0\n1-2 r-xp zz 0:0 0\n").empty());
  EXPECT_TRUE(parse_maps("1-2 r-x").empty());
}

TEST(ProcessFiles, ObjectsAreNamedByTheirBaseName) {
  EXPECT_EQ(object_name("/lib/x86_64-linux-gnu/libc.so.6"), "libc.so.6");
  EXPECT_EQ(object_name("/usr/bin/bash (deleted)"), "bash");
  EXPECT_EQ(object_name("/memfd:made.so.12 (deleted)"), "made.so.12");
  EXPECT_EQ(object_name("[vdso]"), "[vdso]");
}

TEST(ProcessFiles, ParsesPerfMaps) {
  const auto symbols = parse_perf_map(
      "7f10 20 Lfoo;::bar\n"
      "0x7f00 10 first with blanks\n"
      "7f10 8 rewritten\n"
      "bad line\n"
      "7f50 0 empty\n"
      "7f60 10 \n"
      "0x00007f7000000000 0x0000000000000198 long Spin.deepest(int)\n"
      "ffffffffffffffff 10 wraps\n");
  ASSERT_EQ(symbols.size(), 3U);
  EXPECT_EQ(symbols[2].begin, 0x7f70'0000'0000U);
  EXPECT_EQ(symbols[2].size, 0x198U) << "OpenJDK writes 0x before both numbers";
  EXPECT_EQ(symbols[0].name, "first with blanks");
  EXPECT_EQ(symbols[1].name, "rewritten") << "the last one at an address counts";
  EXPECT_EQ(symbols[1].size, 8U);
}

TEST(ProcessFiles, APerfMapOfAnyBytesIsOnlyAsLongAsItsLines) {
  std::string text = "7f10 20 before\n";
  for (int i = 0; i < 1 << 20; ++i) text.push_back(static_cast<char>(i * i >> 7 ^ i));
  text += "\n7f40 20 a\\x1b[31m\xff\n7f80 20 " + std::string(100'000, 'x') + "\n" +
          std::string(1 << 20, '\0');
  const auto symbols = parse_perf_map(text);
  ASSERT_GE(symbols.size(), 3U);
  std::size_t found = 0;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    EXPECT_TRUE(i == 0 || symbols[i - 1].begin < symbols[i].begin);
    EXPECT_LE(symbols[i].name.size(), 4096U);
    found +=
        symbols[i].name == "before" || symbols[i].begin == 0x7f40 || symbols[i].begin == 0x7f80;
  }
  EXPECT_EQ(found, 3U);
}

TEST(ProcessFiles, OfAHugeFileOrOneThatGrowsTheBeginningIsRead) {
  constexpr std::size_t kLimit = 1 << 20;
  char path[] = "/tmp/dt-symbol-XXXXXX";
  const Fd fd(::mkstemp(path));
  ASSERT_TRUE(fd.valid());
  ASSERT_EQ(::write(fd.get(), "7f10 20 first\n", 14), 14);
  ASSERT_EQ(::ftruncate(fd.get(), off_t{10} << 30), 0);
  const std::string hole = read_owned_file(path, ::getuid(), kLimit);
  EXPECT_EQ(hole.size(), kLimit);
  const auto symbols = parse_perf_map(hole);
  ASSERT_EQ(symbols.size(), 1U);
  EXPECT_EQ(symbols[0].name, "first");
  // Another thread writes faster than anybody reads.
  ASSERT_EQ(::ftruncate(fd.get(), 0), 0);
  std::atomic<bool> is_over = false;
  std::thread writer([&] {
    const std::string lines(1 << 16, '\n');
    while (!is_over && ::lseek(fd.get(), 0, SEEK_END) < off_t{1} << 28) {
      if (::write(fd.get(), lines.data(), lines.size()) < 0) break;
    }
  });
  while (::lseek(fd.get(), 0, SEEK_END) < off_t{kLimit}) std::this_thread::yield();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(read_owned_file(path, ::getuid(), kLimit).size(), kLimit);
  is_over = true;
  writer.join();
  ::unlink(path);
}

TEST(ProcessFiles, ReadsNoFileThatIsALinkOrAFifoOrAnothersOwn) {
  char directory[] = "/tmp/dt-symbol-XXXXXX";
  ASSERT_NE(::mkdtemp(directory), nullptr);
  const std::string base = directory;
  const std::string file = base + "/file";
  const std::string link = base + "/link";
  const std::string fifo = base + "/fifo";
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(::write(fd, "text", 4), 4);
  ::close(fd);
  ASSERT_EQ(::symlink(file.c_str(), link.c_str()), 0);
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0644), 0);
  EXPECT_EQ(read_owned_file(file, ::getuid(), 100), "text");
  EXPECT_EQ(read_owned_file(file, ::getuid(), 2), "te");
  EXPECT_EQ(read_owned_file(link, ::getuid(), 100), "");
  EXPECT_EQ(read_owned_file(fifo, ::getuid(), 100), "");
  EXPECT_EQ(read_owned_file(base, ::getuid(), 100), "");
  EXPECT_EQ(read_owned_file("/dev/zero", ::getuid(), 100), "");
  if (::getuid() == 0) {
    ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
    EXPECT_EQ(read_owned_file(file, 54321, 100), "");
    EXPECT_EQ(read_owned_file(file, 12345, 100), "text");
  }
  ::unlink(file.c_str());
  ::unlink(link.c_str());
  ::unlink(fifo.c_str());
  ::rmdir(directory);
}

TEST(ProcessFiles, IdentityIsEmptyWithoutAProcess) {
  EXPECT_EQ(process_identity(0x7ffffffe), "");
  EXPECT_NE(process_identity(::getpid()), "");
  EXPECT_EQ(process_identity(::getpid()), process_identity(::getpid()));
}

TEST(Elf, DemanglesOnlyWhatIsMangled) {
  EXPECT_EQ(demangle("_ZN2dt6symbol3fooEi"), "dt::symbol::foo(int)");
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"),
            "core::fmt::Formatter::pad");
  EXPECT_EQ(demangle("_RNvCs1234_7mycrate3foo"), "mycrate::foo");
  EXPECT_EQ(demangle("_RNvMs_NtCs4fqI2P2rA04_5alloc3vecINtB4_3VechE4pushB6_"),
            "<alloc::vec::Vec<u8>>::push");
  EXPECT_EQ(demangle(("_R" + std::string(20000, 'N')).c_str()).size(), 20002U);
  EXPECT_EQ(demangle(("_R" + std::string(9000, 'N')).c_str()).size(), 9002U);
  EXPECT_EQ(demangle(("_Z" + std::string(9000, 'P')).c_str()).size(), 9002U);
  EXPECT_EQ(demangle("_"), "_");
  EXPECT_EQ(demangle(""), "");
  EXPECT_EQ(demangle("_Zgarbage"), "_Zgarbage");
}

TEST(Elf, AFileThatIsNoElfHasNoSymbols) {
  char path[] = "/tmp/dt-elf-XXXXXX";
  const int fd = ::mkstemp(path);
  ASSERT_GE(fd, 0);
  ElfSymbols::Found found;
  EXPECT_FALSE(ElfSymbols::from_file(fd).find(0, found));
  ASSERT_EQ(::write(fd,
                    "\x7f"
                    "ELF damaged",
                    12),
            12);
  EXPECT_FALSE(ElfSymbols::from_file(fd).find(0, found));
  ::close(fd);
  ::unlink(path);
}

TEST(Elf, TablesThatTakeTooMuchMemoryAreLeftOut) {
  constexpr std::size_t kLittle = 100;
  const int fd = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  const ElfSymbols all = ElfSymbols::from_file(fd);
  EXPECT_FALSE(all.is_too_large());
  EXPECT_GT(all.size(), 0U);
  const ElfSymbols none = ElfSymbols::from_file(fd, SymbolKind::kFunction, kLittle);
  EXPECT_TRUE(none.is_too_large());
  EXPECT_EQ(none.size(), 0U);
  ::close(fd);
}

// A whole ELF file cut off or flipped anywhere: no crash, whatever is found.
TEST(Elf, DamagedFilesDoNoHarm) {
  const std::string whole = read_file("/proc/self/exe", 64U << 20);
  ASSERT_GT(whole.size(), 4096U);
  char path[] = "/tmp/dt-elf-XXXXXX";
  const int fd = ::mkstemp(path);
  ASSERT_GE(fd, 0);
  ElfSymbols::Found found;
  std::uint64_t random = 88172645463325252ULL;
  const auto next = [&random]() {
    random ^= random << 13;
    random ^= random >> 7;
    return random ^= random << 17;
  };
  ASSERT_EQ(::pwrite(fd, whole.data(), whole.size(), 0), static_cast<ssize_t>(whole.size()));
  for (int i = 0; i < 60; ++i) {
    // Headers first: the file header and, at the end, the section headers.
    const std::size_t at = i % 2 == 0 ? next() % 1024 : whole.size() - 1 - next() % 2048;
    const char changed = static_cast<char>(next());
    ASSERT_EQ(::pwrite(fd, &changed, 1, static_cast<off_t>(at)), 1);
    ElfSymbols::from_file(fd).find(0x1000, found);
    ASSERT_EQ(::pwrite(fd, &whole[at], 1, static_cast<off_t>(at)), 1);
  }
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(::ftruncate(fd, static_cast<off_t>(next() % whole.size())), 0);
    ElfSymbols::from_file(fd).find(0x1000, found);
    ASSERT_EQ(::pwrite(fd, whole.data(), whole.size(), 0), static_cast<ssize_t>(whole.size()));
  }
  ::close(fd);
  ::unlink(path);
}

// Programs of PATH, and what is kept of them in files of its own.
class ProgramsToCome : public ::testing::Test {
 protected:
  ProgramsToCome() {
    std::ofstream(places_.boot) << "5ef0\n";
    std::ofstream(places_.modules) << "";
    const char* const path = std::getenv("PATH");
    path_ = path == nullptr ? "" : path;
  }
  ~ProgramsToCome() override {
    ::setenv("PATH", path_.c_str(), 1);
    std::filesystem::remove_all(root_);
  }

  static std::string make_root() {
    char path[] = "/tmp/dt-programs-XXXXXX";
    return ::mkdtemp(path);
  }

  // The inodes of those in the directory.
  std::set<std::uint64_t> in(const std::string& directory) const {
    ::setenv("PATH", directory.c_str(), 1);
    std::set<std::uint64_t> found;
    for (const ProcessObject& one : programs_to_come(".text", places_)) {
      if (one.path.starts_with(directory + '/')) found.insert(one.inode);
    }
    return found;
  }

  // What is kept of the directory; if nothing is, `text` is from now on.
  std::string keep(const std::string& directory, const std::string& text) const {
    struct stat where {};
    ::stat(directory.c_str(), &where);
    return *kernel::kept_text(
        fmt::format("without.text-{:x}-{:x}", where.st_dev, where.st_ino),
        [&] { return Result<std::string>(text); }, places_);
  }

  const std::string root_ = make_root();
  const kernel::KeptPlaces places_ = {root_ + "/kept", root_ + "/boot_id", root_ + "/modules"};
  std::string path_;
};

std::string edition_of(const struct stat& file, off_t more = 0) {
  const auto word = [](auto number) { return static_cast<std::uint64_t>(number); };
  const std::array<std::uint64_t, 7> words = {word(file.st_dev),          word(file.st_ino),
                                              word(file.st_size + more),  word(file.st_mtim.tv_sec),
                                              word(file.st_mtim.tv_nsec), word(file.st_ctim.tv_sec),
                                              word(file.st_ctim.tv_nsec)};
  return {reinterpret_cast<const char*>(words.data()), sizeof words};
}

TEST_F(ProgramsToCome, ThoseThatAreKnownToLackTheSectionAreNotOpenedUntilTheyChange) {
  const std::string directory = root_ + "/bin";
  std::filesystem::create_directory(directory);
  std::vector<struct stat> files(70);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string path = fmt::format("{}/{}", directory, i);
    std::filesystem::copy_file("/bin/true", path);
    ASSERT_EQ(::stat(path.c_str(), &files[i]), 0);
  }
  keep(directory, edition_of(files[0]) + edition_of(files[1], 1));
  const std::set<std::uint64_t> found = in(directory);
  EXPECT_EQ(found.size(), files.size() - 1);
  EXPECT_FALSE(found.contains(files[0].st_ino));
  EXPECT_TRUE(found.contains(files[1].st_ino));
}

TEST_F(ProgramsToCome, WhatHasBeenChangedAMomentAgoIsNotKept) {
  const std::string directory = root_ + "/bin";
  std::filesystem::create_directory(directory);
  const std::int64_t began_s = ::time(nullptr);
  for (int i = 0; i < 70; ++i) {
    const std::string path = fmt::format("{}/{}", directory, i);
    std::ofstream(path) << "#!/bin/sh\n";
    ::chmod(path.c_str(), 0755);
  }
  EXPECT_TRUE(in(directory).empty());
  const std::string kept = keep(directory, "nothing was kept");
  if (::time(nullptr) - began_s > 1) GTEST_SKIP() << "the files are not new any longer";
  EXPECT_EQ(kept, "");
}

TEST_F(ProgramsToCome, ProgramsOfTheSystemAreTheSameWhenTheyAreKept) {
  const std::set<std::uint64_t> first = in("/usr/bin");
  const std::string kept = keep("/usr/bin", "nothing was kept");
  EXPECT_NE(kept, "nothing was kept");
  EXPECT_FALSE(first.empty());
  struct stat where {};
  ASSERT_EQ(::stat("/usr/bin", &where), 0);
  for (const std::uint64_t inode : first) {
    EXPECT_EQ(('\n' + kept).find(fmt::format("\n{} {} ", where.st_dev, inode)), std::string::npos);
  }
  EXPECT_EQ(in("/usr/bin"), first);
}

}  // namespace
}  // namespace dt::symbol
