// Files that say that they are large: what is read of them is bounded, and holes of a file cost
// nothing.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>

#include "support/fd.h"
#include "symbol/frames/call_frames_test.h"
#include "symbol/frames/functions.h"
#include "symbol/resolve/object_symbols.h"

namespace dt::symbol {
namespace {

// A file of `size` bytes that begins with `bytes`; without a name.
Fd sparse_file(const ElfFile::Bytes& bytes, std::uint64_t size) {
  Fd fd(::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  EXPECT_TRUE(fd.valid());
  EXPECT_EQ(::write(fd.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  EXPECT_EQ(::ftruncate(fd.get(), static_cast<off_t>(size)), 0);
  return fd;
}

long peak_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(ElfBounds, ATableOfSymbolsThatIsAHoleIsNotRead) {
  // Its section of frames is called .symtab, and has three gigabytes.
  constexpr std::uint64_t kSize = std::uint64_t{3} << 30;
  ElfFile::Bytes bytes = elf_file(common(), ".symtab");
  Elf64_Shdr symbols{};
  const std::size_t at = bytes.size() - sizeof symbols;
  std::memcpy(&symbols, bytes.data() + at, sizeof symbols);
  symbols.sh_size = kSize;
  std::memcpy(bytes.data() + at, &symbols, sizeof symbols);
  const Fd fd = sparse_file(bytes, kSize + bytes.size());
  const auto elf = ElfFile::open(fmt::format("/proc/self/fd/{}", fd.get()));
  ASSERT_TRUE(elf.ok()) << elf.error().text;
  ASSERT_TRUE(elf->has(".symtab"));
  const long before = peak_kilobytes();
  EXPECT_EQ(Functions::read(*elf, nullptr).all().size(), 0U);
  EXPECT_FALSE(elf->section(".symtab").ok());
  EXPECT_EQ(ElfSymbols::from_file(fd.get()).size(), 0U);
  EXPECT_LT(peak_kilobytes() - before, 64 << 10);
}

TEST(ElfBounds, MoreHeadersThanAnybodyHasAreNotRead) {
  // How many there are stands in the first section: 16 million, all of them in a hole.
  constexpr std::uint64_t kCount = 16 << 20;
  for (const bool is_segments : {false, true}) {
    ElfFile::Bytes bytes = elf_file(common());
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof header);
    Elf64_Shdr first{};
    first.sh_size = is_segments ? 3 : kCount;
    first.sh_info = is_segments ? static_cast<Elf64_Word>(kCount) : 0;
    std::memcpy(bytes.data() + header.e_shoff, &first, sizeof first);
    (is_segments ? header.e_phnum : header.e_shnum) = is_segments ? PN_XNUM : 0;
    std::memcpy(bytes.data(), &header, sizeof header);
    const Fd fd = sparse_file(bytes, kCount * (sizeof first + 1));
    const long before = peak_kilobytes();
    EXPECT_EQ(ElfSymbols::from_file(fd.get()).size(), 0U);
    EXPECT_FALSE(ElfFile::open(fmt::format("/proc/self/fd/{}", fd.get())).ok() && !is_segments);
    EXPECT_LT(peak_kilobytes() - before, 64 << 10) << is_segments;
  }
}

}  // namespace
}  // namespace dt::symbol
