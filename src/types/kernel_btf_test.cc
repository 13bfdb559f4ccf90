// The BTF source, on bytes made here: every kind, damage, and mutations.

#include <gtest/gtest.h>

#include <random>

#include "types/btf_test.h"
#include "types/type.h"

namespace dt::types {
namespace {

// One type of every kind, and a struct that uses them all.
std::vector<std::uint8_t> sample() {
  BtfWriter btf;
  const auto integer = btf.type("int", 1, 0, 4, {1u << 24 | 32});
  const auto long_int = btf.type("long unsigned int", 1, 0, 8, {64});
  const auto wide = btf.type("__int128", 1, 0, 16, {1u << 24 | 128});
  const auto character = btf.type("char", 1, 0, 1, {1u << 24 | 8});
  const auto forward = btf.type("elsewhere", 7, 0, 0);
  const auto forward_pointer = btf.type("", 2, 0, forward);
  const auto array = btf.type("", 3, 0, 0, {character, integer, 16});
  const auto user = btf.type("user", 18, 0, character);
  const auto user_pointer = btf.type("", 2, 0, user);
  const auto word = btf.type("word_t", 8, 0, long_int);
  const auto volatile_word = btf.type("", 9, 0, word);
  const auto const_word = btf.type("", 10, 0, volatile_word);
  const auto proto = btf.type("", 13, 2, integer, {btf.string("text"), user_pointer, 0, 0});
  const auto callback = btf.type("", 2, 0, proto);
  const auto state =
      btf.type("state", 6, 2, 4, {btf.string("IDLE"), 0xffffffff, btf.string("BUSY"), 1}, true);
  const auto big = btf.type("big", 19, 1, 8, {btf.string("HUGE"), 0, 1});
  const auto real = btf.type("double", 16, 0, 8);
  const auto percpu = btf.type("percpu", 18, 0, integer);
  const auto percpu_pointer = btf.type("", 2, 0, percpu);
  const auto part =
      btf.type("", 5, 2, 8, {btf.string("low"), integer, 0, btf.string("all"), word, 0});
  const auto self = btf.type("", 2, 0, 22);
  const auto thing = btf.type("thing", 4, 12, 128,
                              {btf.string("name"),
                               array,
                               0,  // at 0
                               btf.string("user"),
                               user_pointer,
                               128,  //
                               btf.string("word"),
                               const_word,
                               192,  //
                               btf.string("call"),
                               callback,
                               256,  //
                               btf.string("state"),
                               state,
                               320,  //
                               btf.string("bits"),
                               integer,
                               3u << 24 | 353,
                               0,
                               part,
                               384,  //
                               btf.string("next"),
                               self,
                               448,  //
                               btf.string("far"),
                               forward_pointer,
                               512,  //
                               btf.string("big"),
                               big,
                               576,  //
                               btf.string("real"),
                               real,
                               640,  //
                               btf.string("count"),
                               percpu_pointer,
                               704},
                              true);
  EXPECT_EQ(thing, 22u);
  btf.type("do_thing", 12, 1, proto);
  btf.type("", 17, 0, thing, {0xffffffff});
  btf.type("wide_t", 8, 0, wide);
  const auto old_bits = btf.type("unsigned int", 1, 0, 4, {5u << 16 | 3});
  btf.type("old", 4, 1, 4, {btf.string("bits"), old_bits, 0});
  btf.type("loop_t", 8, 0, 29);
  btf.type("", 2, 0, 28);
  return btf.bytes();
}

TEST(KernelBtf, ImportsEveryKind) {
  const TemporaryFile file(sample());
  Catalog catalog;
  catalog.add_source(kernel_btf_source(file.path()));
  const auto thing = catalog.find(Tag::kStruct, "thing");
  ASSERT_TRUE(thing.has_value()) << catalog.errors();
  EXPECT_EQ(catalog.name(*thing), "struct thing");
  EXPECT_EQ(catalog.at(*thing).size, 128u);
  struct Expected {
    const char* member;
    const char* type;
    std::uint32_t bit_offset, bit_size;
  };
  const Expected table[] = {
      {"name", "char [16]", 0, 0},
      {"user", "userland char *", 128, 0},
      {"word", "const word_t", 192, 0},
      {"call", "int (*)(userland char *, ...)", 256, 0},
      {"state", "enum state", 320, 0},
      {"bits", "int", 353, 3},
      {"low", "int", 384, 0},
      {"all", "word_t", 384, 0},
      {"next", "struct thing *", 448, 0},
      {"far", "struct elsewhere *", 512, 0},
      {"big", "enum big", 576, 0},
      {"real", "double", 640, 0},
      {"count", "int *", 704, 0},
  };
  for (const Expected& expected : table) {
    const auto found = catalog.member(*thing, expected.member);
    ASSERT_TRUE(found.has_value()) << expected.member;
    EXPECT_EQ(catalog.name(found->type), expected.type) << expected.member;
    EXPECT_EQ(found->bit_offset, expected.bit_offset) << expected.member;
    EXPECT_EQ(found->bit_size, expected.bit_size) << expected.member;
  }
  EXPECT_EQ(catalog.errors(), "");
}

TEST(KernelBtf, SharesTheBaseTypesOfC) {
  const TemporaryFile file(sample());
  Catalog catalog;
  catalog.add_source(kernel_btf_source(file.path()));
  EXPECT_EQ(catalog.resolve(*catalog.find(Tag::kNone, "word_t")),
            *catalog.find(Tag::kNone, "unsigned long"));
  const auto wide = catalog.find(Tag::kNone, "wide_t");
  ASSERT_TRUE(wide.has_value());
  EXPECT_EQ(catalog.resolved(*wide).size, 16u);
  EXPECT_TRUE(catalog.resolved(*wide).is_signed);
}

TEST(KernelBtf, ReadsEnumerators) {
  const TemporaryFile file(sample());
  Catalog catalog;
  catalog.add_source(kernel_btf_source(file.path()));
  const Type& state = catalog.at(*catalog.find(Tag::kEnum, "state"));
  ASSERT_EQ(state.enumerators.size(), 2u);
  EXPECT_EQ(state.enumerators[0].name, "IDLE");
  EXPECT_EQ(state.enumerators[0].value, -1);
  EXPECT_TRUE(state.is_signed);
  EXPECT_EQ(catalog.at(*catalog.find(Tag::kEnum, "big")).enumerators.at(0).value, 0x100000000);
}

TEST(KernelBtf, ReadsBitFieldsOfBeforeTheFlag) {
  const TemporaryFile file(sample());
  Catalog catalog;
  catalog.add_source(kernel_btf_source(file.path()));
  const auto bits = catalog.member(*catalog.find(Tag::kStruct, "old"), "bits");
  ASSERT_TRUE(bits.has_value());
  EXPECT_EQ(bits->bit_offset, 5u);
  EXPECT_EQ(bits->bit_size, 3u);
}

TEST(KernelBtf, FindsByTagAndModule) {
  const TemporaryFile file(sample());
  Catalog catalog;
  catalog.add_source(kernel_btf_source(file.path()));
  EXPECT_TRUE(catalog.find(Tag::kStruct, "thing", "vmlinux").has_value());
  EXPECT_FALSE(catalog.find(Tag::kStruct, "thing", "ext4").has_value());
  EXPECT_FALSE(catalog.find(Tag::kStruct, "thing", "C").has_value());
  EXPECT_FALSE(catalog.find(Tag::kUnion, "thing").has_value());
  EXPECT_FALSE(catalog.find(Tag::kNone, "thing").has_value());
  EXPECT_FALSE(catalog.find(Tag::kNone, "do_thing").has_value());
  EXPECT_FALSE(catalog.find(Tag::kStruct, "thin").has_value());
  const auto forward = catalog.find(Tag::kStruct, "elsewhere");
  ASSERT_TRUE(forward.has_value());
  EXPECT_EQ(catalog.at(*forward).kind, Kind::kForward);
  EXPECT_FALSE(catalog.find(Tag::kUnion, "elsewhere").has_value());
}

TEST(KernelBtf, CutsCyclesThatCCannotMake) {
  const TemporaryFile file(sample());
  Catalog catalog;
  catalog.add_source(kernel_btf_source(file.path()));
  const auto loop = catalog.find(Tag::kNone, "loop_t");
  ASSERT_TRUE(loop.has_value());
  EXPECT_EQ(catalog.name(catalog.resolve(*loop)), "void *");
}

TEST(KernelBtf, SaysWhyItIsAbsentWhenItIsAskedFor) {
  Catalog catalog;
  catalog.add_source(kernel_btf_source("/nonexistent/btf"));
  EXPECT_EQ(catalog.errors(), "");
  EXPECT_FALSE(catalog.find(Tag::kStruct, "task_struct").has_value());
  EXPECT_EQ(catalog.errors(), "open /nonexistent/btf: No such file or directory");
}

TEST(KernelBtf, SaysWhatIsWrongWithTheBytes) {
  struct Case {
    std::size_t at;
    std::uint8_t value;
    const char* error;
  };
  const Case cases[] = {
      {0, 0, "does not begin with its magic number"}, {2, 9, "version 9 is not known"},
      {4, 8, "header length out of range"},           {11, 0xff, "types lie beyond the end"},
      {19, 0xff, "strings lie beyond the end"},       {31, 31, "type 1 is of the unknown kind 31"},
  };
  for (const Case& test : cases) {
    std::vector<std::uint8_t> bytes = sample();
    bytes[test.at] = test.value;
    const TemporaryFile file(bytes);
    Catalog catalog;
    catalog.add_source(kernel_btf_source(file.path()));
    EXPECT_FALSE(catalog.find(Tag::kStruct, "thing").has_value());
    EXPECT_EQ(catalog.errors(), std::string(file.path()) + ": BTF: " + test.error);
  }
}

// Asks everything of a catalogue; what it answers does not matter here.
void ask_everything(const std::vector<std::uint8_t>& bytes) {
  const TemporaryFile file(bytes);
  Catalog catalog;
  catalog.add_source(kernel_btf_source(file.path()));
  for (const char* name : {"thing", "state", "big", "word_t", "wide_t", "loop_t", "old"}) {
    for (const Tag tag : {Tag::kNone, Tag::kStruct, Tag::kUnion, Tag::kEnum}) {
      const auto id = catalog.find(tag, name);
      if (!id) continue;
      EXPECT_LE(catalog.name(*id).size(), 1u << 20);
      for (const std::string_view member : catalog.member_names(*id)) {
        const auto found = catalog.member(*id, member);
        if (!found) continue;
        EXPECT_LE(catalog.name(found->type).size(), 1u << 20);
        EXPECT_TRUE(catalog.same(found->type, found->type));
      }
    }
  }
}

TEST(KernelBtf, SurvivesTruncationAnywhere) {
  const std::vector<std::uint8_t> whole = sample();
  for (std::size_t size = 1; size < whole.size(); size += 3) {
    ask_everything({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
  }
}

TEST(KernelBtf, GivesTheNumbersOfTypedefs) {
  const TemporaryFile file(sample());
  Catalog catalog;
  catalog.add_source(kernel_btf_source(file.path()));
  EXPECT_EQ(catalog.number(Tag::kNone, "word_t", "vmlinux"), 10u);
  EXPECT_EQ(catalog.number(Tag::kNone, "loop_t", "vmlinux"), 28u);
  for (const char* name : {"thing", "", "nothing"}) {
    EXPECT_EQ(catalog.number(Tag::kNone, name, "vmlinux"), 0u) << name;
  }
  EXPECT_EQ(catalog.number(Tag::kNone, "word_t", "ext4"), 0u);
}

TEST(KernelBtf, GivesTheNumbersOfFunctionsThatAreExpectedOrNot) {
  const TemporaryFile file(sample());
  Catalog catalog;
  catalog.add_source(kernel_btf_source(file.path()));
  EXPECT_EQ(catalog.function_number("do_thing", "vmlinux"), 23u);
  Catalog expecting;
  expecting.add_source(kernel_btf_source(file.path()));
  expecting.expect_function("do_thing", "vmlinux");
  expecting.expect_function("thing", "vmlinux");
  EXPECT_EQ(expecting.function_number("thing", "vmlinux"), 0u) << "a structure";
  EXPECT_EQ(expecting.function_number("do_thing", "vmlinux"), 23u);
  EXPECT_EQ(expecting.function_number("do_thing", "vmlinux"), 23u) << "asked again";
  // Its types are never asked for, or there are none.
  Catalog unasked;
  unasked.add_source(kernel_btf_source(file.path()));
  unasked.expect_function("do_thing", "vmlinux");
  Catalog empty;
  empty.add_source(kernel_btf_source("/nonexistent/btf"));
  empty.expect_function("do_thing", "vmlinux");
  EXPECT_EQ(empty.function_number("do_thing", "vmlinux"), 0u);
}

TEST(KernelBtf, SurvivesRandomMutation) {
  const std::vector<std::uint8_t> whole = sample();
  std::mt19937 random(20240607);
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::uint8_t> bytes = whole;
    const unsigned changes = 1 + random() % 8;
    for (unsigned i = 0; i < changes; ++i) {
      // Mostly small values: they make references among types, and cycles.
      const auto value = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 30);
      bytes[24 + random() % (bytes.size() - 24)] = value;
    }
    ask_everything(bytes);
  }
}

}  // namespace
}  // namespace dt::types
