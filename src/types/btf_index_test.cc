// The index of BTF gives what a walk gives, and what is kept of it is taken only from a file that
// is whole, of this kernel and of this user.

#include "types/btf_index.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "support/file.h"
#include "types/btf.h"
#include "types/btf_source.h"
#include "types/btf_test.h"
#include "types/kernel_btf.h"

namespace dt::types {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kThings = 300;

// Many types, more than one of some names, with records of all lengths; and enumerations, two of
// which share an enumerator.
std::vector<std::uint8_t> many_types() {
  BtfWriter btf;
  const auto integer = btf.type("int", 1, 0, 4, {1u << 24 | 32});
  const std::uint32_t shared = btf.string("SHARED");
  for (std::uint32_t i = 0; i < kThings; ++i) {
    const std::string name = fmt::format("thing{}", i % 250);
    btf.type(name, 4, 1, 4, {btf.string("member"), integer, 0});
    btf.type(name + "_t", 8, 0, integer);
    const auto proto = btf.type("", 13, i % 3, integer, std::vector<std::uint32_t>(i % 3 * 2, 0));
    btf.type(fmt::format("do_thing{}", i), 12, 1, proto);
    btf.type(fmt::format("state{}", i), 6, 2, 4,
             {shared, i, btf.string(fmt::format("OF_{}", i)), 7});
  }
  btf.type("wide", 19, 1, 8, {btf.string("WIDE"), 1, 2});
  return btf.bytes();
}

bool is_any(BtfKind) { return true; }

std::string make(const std::vector<std::uint8_t>& bytes) {
  const Result<Btf> btf = Btf::parse(bytes);
  return btf->make_index().value_or("");
}

TEST(BtfIndex, GivesWhatAWalkGives) {
  const std::vector<std::uint8_t> bytes = many_types();
  const Btf walked = *Btf::parse(bytes);
  Btf indexed = *Btf::parse(bytes);
  const auto index = BtfIndex::of(make(bytes));
  ASSERT_TRUE(index.has_value());
  indexed.use(*index);
  ASSERT_EQ(indexed.type_count(), walked.type_count());
  // From the last one to the first, so that no record was walked over before.
  for (std::uint32_t id = walked.type_count() + 3; id-- > 0;) {
    const Btf::Record mine = indexed.at(id), theirs = walked.at(id);
    ASSERT_EQ(mine.kind, theirs.kind) << id;
    ASSERT_EQ(mine.name, theirs.name) << id;
    ASSERT_EQ(mine.entries, theirs.entries) << id;
    for (const BtfKind kind :
         {BtfKind::kStruct, BtfKind::kTypedef, BtfKind::kFunc, BtfKind::kEnum}) {
      const auto of_kind = [&](BtfKind one) { return one == kind; };
      const std::string_view name = walked.string(theirs.name);
      ASSERT_EQ(indexed.find(name, of_kind), walked.find(name, of_kind)) << name;
    }
  }
  for (const char* name : {"", "thing", "member", "thing0_", "OF_3", "no such"}) {
    EXPECT_EQ(indexed.find(name, is_any), std::nullopt) << name;
  }
  EXPECT_EQ(indexed.damage(), "");
}

TEST(BtfIndex, IsNotMadeOfDamagedBytes) {
  std::vector<std::uint8_t> bytes = many_types();
  bytes[24 + 7] = 0x1f;  // the kind of the first type
  EXPECT_EQ(make(bytes), "");
}

TEST(BtfIndex, IsRefusedUnlessItIsWhole) {
  const std::string whole = make(many_types());
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 8) {
    EXPECT_FALSE(BtfIndex::of(whole.substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(BtfIndex::of(whole + "x").has_value());
  EXPECT_FALSE(BtfIndex::of(Fd(), 0).has_value());
}

TEST(BtfIndex, DamagedGivesNoTypeOfAnotherName) {
  const std::vector<std::uint8_t> bytes = many_types();
  const std::string whole = make(bytes);
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 8; ++i) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    const auto index = BtfIndex::of(std::move(damaged));
    if (!index) continue;
    Btf btf = *Btf::parse(bytes);
    btf.use(*index);
    for (const char* name : {"thing7", "do_thing299", "thing249_t", "absent"}) {
      const auto id = btf.find(name, is_any);
      if (!id) continue;
      EXPECT_EQ(btf.string(btf.at(*id).name), name);
    }
    (void)index->enumerations_with("SHARED");
  }
}

class KeptIndexTest : public ::testing::Test {
 protected:
  KeptIndexTest() { write(places_.boot, "5ef0\n"); }
  ~KeptIndexTest() override { fs::remove_all(root_); }

  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::trunc) << text;
  }
  static std::string make_root() {
    char path[] = "/tmp/dt-index-XXXXXX";
    return ::mkdtemp(path);
  }

  std::string path() const { return places_.directory + "/types"; }
  std::string kept() const { return *support::read_file(path()); }
  // Whether an index is there and right.
  bool is_right() const {
    const auto index = kept_index(bytes_, places_);
    if (!index) return false;
    Btf btf = *Btf::parse(bytes_);
    btf.use(*index);
    return btf.find("do_thing299", is_any) == Btf::parse(bytes_)->find("do_thing299", is_any) &&
           !btf.find("do_thing300", is_any);
  }

  const std::string root_ = make_root();
  kernel::KeptPlaces places_ = {root_ + "/kept", root_ + "/boot_id", root_ + "/modules"};
  std::vector<std::uint8_t> bytes_ = many_types();
};

TEST_F(KeptIndexTest, IsMadeOnce) {
  EXPECT_TRUE(is_right());
  const auto time = fs::last_write_time(path());
  // What is in the file is what counts: with one entry less, its name is not found.
  EXPECT_TRUE(is_right());
  EXPECT_EQ(fs::last_write_time(path()), time);
  std::string emptied = kept();
  std::fill(emptied.end() - 8 * 512, emptied.end(), '\0');
  write(path(), emptied);
  const auto index = kept_index(bytes_, places_);
  ASSERT_TRUE(index.has_value());
  Btf btf = *Btf::parse(bytes_);
  btf.use(*index);
  std::uint32_t missing = 0;
  for (std::uint32_t i = 0; i < kThings; ++i) {
    missing += btf.find(fmt::format("do_thing{}", i), is_any) ? 0 : 1;
  }
  EXPECT_GT(missing, 0u) << "the file was not read";
}

TEST_F(KeptIndexTest, AnotherKernelHasItsOwn) {
  EXPECT_TRUE(is_right());
  const std::string first = kept();
  write(places_.boot, "5ef1\n");
  EXPECT_TRUE(is_right());
  EXPECT_NE(kept(), first);
  BtfWriter other;
  other.type("do_thing299", 12, 1, 0);
  bytes_ = other.bytes();
  EXPECT_TRUE(is_right());
}

TEST_F(KeptIndexTest, IsMadeAnewWhereTheFileIsNotWholeOrOfAnother) {
  EXPECT_TRUE(is_right());
  const std::string whole = kept();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{20}, std::size_t{200}, whole.size() - 1}) {
    write(path(), whole.substr(0, size));
    EXPECT_TRUE(is_right()) << size;
    EXPECT_EQ(kept(), whole) << size;
  }
  // A file that others may write, and a link to one that is right.
  ::chmod(path().c_str(), 0666);
  EXPECT_TRUE(is_right());
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::rename(path(), root_ + "/elsewhere");
  fs::create_symlink(root_ + "/elsewhere", path());
  EXPECT_TRUE(is_right());
  EXPECT_FALSE(fs::is_symlink(path()));
}

TEST_F(KeptIndexTest, IsMissingWhereNoneCanBeKept) {
  fs::create_directory(places_.directory);
  ::chmod(places_.directory.c_str(), 0777);
  EXPECT_FALSE(kept_index(bytes_, places_).has_value());
  EXPECT_FALSE(fs::exists(path()));
  places_.directory = "/dev/null";
  EXPECT_FALSE(kept_index(bytes_, places_).has_value());
  places_.directory = "/proc";  // nothing can be stored there
  EXPECT_FALSE(kept_index(bytes_, places_).has_value());
  places_.directory = root_ + "/kept2";
  write(places_.boot, "");
  EXPECT_FALSE(kept_index(bytes_, places_).has_value());
  bytes_.clear();
  EXPECT_FALSE(kept_index(bytes_, places_).has_value());
}

TEST_F(KeptIndexTest, IsRightForAllThatStartAtOnce) {
  constexpr int kProcesses = 8;
  for (int i = 0; i < kProcesses; ++i) {
    if (::fork() == 0) {
      bool good = true;
      for (int round = 0; round < 20; ++round) {
        if (round % 4 == i % 4) ::unlink(path().c_str());
        good = is_right() && good;
      }
      ::_exit(good ? 0 : 1);
    }
  }
  for (int i = 0; i < kProcesses; ++i) {
    int status = 1;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(is_right());
}

// A source with an index answers as one without.
TEST_F(KeptIndexTest, GivesASourceTheSameTypes) {
  const auto source = [this](bool is_kept) {
    BtfSource::Options options;
    options.module = "vmlinux";
    if (is_kept) {
      options.find_index = [this](auto bytes) { return kept_index(bytes, places_); };
    }
    return std::make_unique<BtfSource>(std::move(options),
                                       [this] { return Result<FileBytes>(FileBytes(bytes_)); });
  };
  for (int round = 0; round < 2; ++round) {
    Catalog walked, indexed;
    walked.add_source(source(false));
    indexed.add_source(source(true));
    for (std::uint32_t i = 0; i < kThings + 2; ++i) {
      const std::string name = fmt::format("thing{}", i);
      for (const Tag tag : {Tag::kStruct, Tag::kUnion, Tag::kEnum}) {
        EXPECT_EQ(indexed.number(tag, name, "vmlinux"), walked.number(tag, name, "vmlinux"));
      }
      EXPECT_EQ(indexed.number(Tag::kNone, name + "_t", "vmlinux"),
                walked.number(Tag::kNone, name + "_t", "vmlinux"));
      indexed.expect_function("do_" + name, "vmlinux");
      EXPECT_EQ(indexed.function_number("do_" + name, "vmlinux"),
                walked.function_number("do_" + name, "vmlinux"));
    }
    for (const char* name : {"SHARED", "OF_3", "WIDE", "OF_300", "thing3"}) {
      const auto mine = indexed.find_enumerators(name, "vmlinux"),
                 theirs = walked.find_enumerators(name, "vmlinux");
      ASSERT_EQ(mine.size(), theirs.size()) << name;
      for (std::size_t i = 0; i < mine.size(); ++i) {
        EXPECT_EQ(mine[i].value, theirs[i].value) << name;
        EXPECT_EQ(indexed.name(mine[i].enumeration), walked.name(theirs[i].enumeration)) << name;
      }
    }
    EXPECT_EQ(indexed.find_enumerators("SHARED", "vmlinux").size(), kThings);
    EXPECT_EQ(indexed.enumerator_names("vmlinux"), walked.enumerator_names("vmlinux"));
  }
  EXPECT_TRUE(fs::exists(path()));
}

}  // namespace
}  // namespace dt::types
