// Unwind tables of files are kept, and used only for the file that they were made of.

#include "runtime/kept_tables.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "symbol/frames/call_frames.h"
#include "symbol/frames/table_bytes.h"

namespace dt::runtime {
namespace {

namespace fs = std::filesystem;

class KeptTablesTest : public testing::Test {
 protected:
  ~KeptTablesTest() override { fs::remove_all(root_); }

  static std::string make_root() {
    char path[] = "/tmp/dt-tables-XXXXXX";
    return ::mkdtemp(path);
  }
  static std::optional<symbol::FrameTable> ask(KeptTables& tables, const std::string& path) {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const auto elf = symbol::ElfFile::open(path);
    return elf.ok() ? tables.table(fd, *elf) : std::nullopt;
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    for (const auto& one : fs::directory_iterator(root_ + "/kept/frames")) files.push_back(one);
    return files;
  }
  void write_over(const fs::path& file, const std::string& bytes) const {
    std::ofstream(file, std::ios::trunc | std::ios::binary) << bytes;
  }

  const std::string root_ = make_root();
};

// By its two rows it is recognised.
symbol::FrameTable known_table() {
  symbol::FrameTable table;
  table.rules.resize(2);
  table.rules[1].base = symbol::FrameRule::Base::kStackPointer;
  table.rows = {{0x1000, 1}, {0x1004, 0}};
  return table;
}

// A large one, which was installed long ago.
std::string installed_library() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t at = line.find('/');
    if (at != line.npos && line.find("libc.so") != line.npos) return line.substr(at);
  }
  return {};
}

TEST_F(KeptTablesTest, AreMadeOnceAndThenTaken) {
  const std::string library = installed_library();
  ASSERT_FALSE(library.empty());
  KeptTables tables(root_ + "/kept");
  const auto made = ask(tables, library);
  ASSERT_TRUE(made.has_value());
  EXPECT_GT(made->rows.size(), 1000u);
  ASSERT_EQ(kept().size(), 1u);
  write_over(kept()[0], symbol::table_bytes(known_table()));
  const auto taken = ask(tables, library);
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->rows, known_table().rows);
  // What is damaged is made anew.
  write_over(kept()[0], "damaged");
  EXPECT_EQ(ask(tables, library)->rows, made->rows);
  KeptTables none("");
  EXPECT_EQ(ask(none, library)->rows, made->rows);
}

TEST_F(KeptTablesTest, OfAnotherFileAreNotTaken) {
  const std::string library = installed_library(), copy = root_ + "/copy";
  fs::copy_file(library, copy);
  KeptTables tables(root_ + "/kept");
  const auto made = ask(tables, library);
  write_over(kept()[0], symbol::table_bytes(known_table()));
  // A copy has the same build id and another inode; as it is new, it is not kept either.
  EXPECT_EQ(ask(tables, copy)->rows, made->rows);
  EXPECT_EQ(kept().size(), 1u);
}

TEST_F(KeptTablesTest, AreNotTakenFromWhatOthersMayWrite) {
  const std::string library = installed_library();
  KeptTables tables(root_ + "/kept");
  const auto made = ask(tables, library);
  write_over(kept()[0], symbol::table_bytes(known_table()));
  fs::permissions(kept()[0], fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(ask(tables, library)->rows, made->rows);
  fs::permissions(root_ + "/kept/frames", fs::perms::others_write, fs::perm_options::add);
  KeptTables other(root_ + "/kept");
  EXPECT_EQ(ask(other, library)->rows, made->rows);
}

}  // namespace
}  // namespace dt::runtime
