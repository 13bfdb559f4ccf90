// What is kept is taken as long as the kernel and its modules are the same, and only from
// a file that no other user can have written.

#include "kernel/kept.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "kernel/kept_directory.h"
#include "support/file.h"

namespace dt::kernel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModules =
    "ext4 815104 1 - Live 0xffffffffc0a00000\nloop 32768 0 - Live 0xffffffffc0b00000 (O)\n";

class KeptTest : public ::testing::Test {
 protected:
  KeptTest() {
    write(places_.boot, "5ef0\n");
    write(places_.modules, kModules);
  }
  ~KeptTest() override { fs::remove_all(root_); }

  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::trunc) << text;
  }

  // What it gives, made anew as "made N" or kept.
  std::string ask() {
    const auto made = kept_text(
        "functions", [this] { return Result<std::string>(fmt::format("made {}", ++made_)); },
        places_);
    return made.ok() ? *made : made.error().text;
  }

  static std::string make_root() {
    char path[] = "/tmp/dt-kept-XXXXXX";
    return ::mkdtemp(path);
  }

  const std::string root_ = make_root();
  KeptPlaces places_ = {root_ + "/kept", root_ + "/boot_id", root_ + "/modules"};
  int made_ = 0;
};

TEST_F(KeptTest, IsMadeOnce) {
  EXPECT_EQ(ask(), "made 1");
  EXPECT_EQ(ask(), "made 1");
  EXPECT_EQ(fs::status(places_.directory).permissions(), fs::perms::owner_all);
  EXPECT_FALSE(fs::exists(places_.directory + "/functions.new"));
}

TEST_F(KeptTest, WhoUsesAModuleIsOfNoMatter) {
  EXPECT_EQ(ask(), "made 1");
  write(places_.modules,
        "ext4 815104 2 dm, Live 0xffffffffc0a00000\nloop 32768 7 - Live 0xffffffffc0b00000 (O)\n");
  EXPECT_EQ(ask(), "made 1");
}

TEST_F(KeptTest, AnotherKernelOrOtherModulesAreAskedAnew) {
  EXPECT_EQ(ask(), "made 1");
  write(places_.modules, "ext4 815104 1 - Live 0xffffffffc0a00000\n");
  EXPECT_EQ(ask(), "made 2");
  write(places_.modules, "ext4 815104 1 - Live 0xffffffffc0c00000\n");
  EXPECT_EQ(ask(), "made 3");
  write(places_.boot, "77aa\n");
  EXPECT_EQ(ask(), "made 4");
  EXPECT_EQ(ask(), "made 4");
}

TEST_F(KeptTest, NothingIsKeptWhileAModuleComesOrGoes) {
  write(places_.modules, "loop 32768 0 - Loading 0xffffffffc0b00000\n");
  EXPECT_EQ(ask(), "made 1");
  EXPECT_EQ(ask(), "made 2");
  EXPECT_FALSE(fs::exists(places_.directory));
}

TEST_F(KeptTest, WhatChangesWhileItIsMadeIsNotKept) {
  const auto made = kept_text(
      "functions",
      [this] {
        write(places_.modules, "");
        return Result<std::string>("old");
      },
      places_);
  EXPECT_EQ(*made, "old");
  EXPECT_EQ(ask(), "made 1");
}

TEST_F(KeptTest, DamagedFilesAreNotTaken) {
  EXPECT_EQ(ask(), "made 1");
  const std::string path = places_.directory + "/functions";
  const std::string whole = *support::read_file(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(path, whole.substr(0, size));
    EXPECT_NE(ask(), "made 1") << size;
  }
  write(path, whole + "x");
  EXPECT_NE(ask(), "made 1");
  write(path, whole);
  EXPECT_EQ(ask(), "made 1");
}

TEST_F(KeptTest, WhatOthersCouldHaveWrittenIsNotTaken) {
  EXPECT_EQ(ask(), "made 1");
  const std::string path = places_.directory + "/functions";
  ASSERT_EQ(::chmod(path.c_str(), 0622), 0);
  EXPECT_EQ(ask(), "made 2");
  EXPECT_EQ(ask(), "made 2") << "replaced by one of ours";
  fs::rename(path, path + "-else");
  fs::create_symlink(path + "-else", path);
  EXPECT_EQ(ask(), "made 3");
  ASSERT_EQ(::chmod(places_.directory.c_str(), 0777), 0);
  EXPECT_EQ(ask(), "made 4");
  EXPECT_EQ(ask(), "made 5");
  fs::rename(places_.directory, root_ + "/else");
  fs::create_directory_symlink(root_ + "/else", places_.directory);
  EXPECT_EQ(ask(), "made 6");
}

TEST_F(KeptTest, WhereNothingCanBeKeptItIsMade) {
  places_.directory = root_ + "/no/such";
  EXPECT_EQ(ask(), "made 1");
  EXPECT_EQ(ask(), "made 2");
  const auto refused = kept_text(
      "functions", [] { return Result<std::string>(Error::of("refused")); }, places_);
  EXPECT_EQ(refused.error().text, "refused");
}

TEST_F(KeptTest, ADirectoryTellsWhatItsFilesTakeAndForgetsThem) {
  const KeptDirectory inner = KeptDirectory::open(places_.directory).inner("inner");
  ASSERT_TRUE(inner.valid());
  inner.store("one", {"12", "345"});
  inner.store("two", {"6"});
  EXPECT_EQ(inner.load("one"), "12345");
  EXPECT_EQ(inner.bytes(), 6u);
  inner.store("one", {"1"});
  EXPECT_EQ(inner.bytes(), 2u);
  inner.clear();
  EXPECT_EQ(inner.bytes(), 0u);
  EXPECT_EQ(inner.load("one"), std::nullopt);
  fs::permissions(places_.directory, fs::perms::group_write, fs::perm_options::add);
  EXPECT_FALSE(KeptDirectory::open(places_.directory).inner("inner").valid());
}

}  // namespace
}  // namespace dt::kernel
