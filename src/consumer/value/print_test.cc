// print(): each kind of type, to the blank.

#include "consumer/value/print.h"

#include <gtest/gtest.h>

#include <cstring>

#include "record/type_shape.h"
#include "types/type.h"

namespace dt::consumer {
namespace {

using types::Kind;
using types::Type;
using types::TypeId;

class Print : public ::testing::Test {
 protected:
  TypeId named(const char* name) { return *catalog_.find(types::Tag::kNone, name); }
  TypeId structure(const char* tag, std::uint32_t size, std::vector<types::Member> members,
                   Kind kind = Kind::kStruct) {
    Type type;
    type.kind = kind;
    type.name = tag;
    type.size = size;
    type.members = std::move(members);
    return catalog_.add(std::move(type));
  }
  TypeId alias(const char* name, TypeId target) {
    Type type;
    type.kind = Kind::kTypedef;
    type.name = name;
    type.target = target;
    return catalog_.add(std::move(type));
  }
  TypeId enumeration() {
    Type type;
    type.kind = Kind::kEnum;
    type.name = "simpson";
    type.size = 4;
    type.is_signed = true;
    type.enumerators = {{"homer", -1}, {"bart", 7}};
    return catalog_.add(std::move(type));
  }
  TypeId function_pointer() {
    Type type;
    type.kind = Kind::kFunction;
    type.target = named("int");
    return catalog_.pointer_to(catalog_.add(std::move(type)));
  }

  std::string print(TypeId type, std::string_view bytes) {
    std::vector<record::Shape> shapes;
    const std::uint32_t shape = record::add_shape(catalog_, type, shapes);
    std::string out;
    append_print(out, shapes, shape,
                 {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    return out;
  }
  template <typename T>
  std::string print_value(TypeId type, const T& value) {
    return print(type, {reinterpret_cast<const char*>(&value), sizeof value});
  }

  types::Catalog catalog_;
};

TEST_F(Print, ShowsScalarsWithTheirTypes) {
  EXPECT_EQ(print_value(named("char"), 'a'), "char 'a'");
  EXPECT_EQ(print_value(named("char"), '\''), "char '\\''");
  EXPECT_EQ(print_value(named("char"), '"'), "char '\"'");
  EXPECT_EQ(print_value(named("char"), '\0'), "char '\\0'");
  EXPECT_EQ(print_value(named("char"), '\x1b'), "char '\\033'");
  EXPECT_EQ(print_value(named("char"), '\n'), "char '\\012'");
  EXPECT_EQ(print_value(named("char"), '\xff'), "char '\\377'");
  EXPECT_EQ(print_value(named("char"), '\\'), "char '\\\\'");
  EXPECT_EQ(print_value(named("uint8_t"), std::uint8_t{65}), "uint8_t 0x41");
  EXPECT_EQ(print_value(named("int"), -1), "int 0xffffffff");
  EXPECT_EQ(print_value(named("int"), 0), "int 0");
  EXPECT_EQ(print_value(named("uint64_t"), UINT64_MAX), "uint64_t 0xffffffffffffffff");
  EXPECT_EQ(print_value(catalog_.pointer_to(catalog_.void_type()), 0x1234L), "void * 0x1234");
  EXPECT_EQ(print_value(function_pointer(), 8L), "int (*)() 0x8");
  EXPECT_EQ(print_value(named("double"), 0.1), "double 0.1");
  EXPECT_EQ(print_value(named("float"), 2.5F), "float 2.5");
}

TEST_F(Print, ShowsEnumeratorsByNameAndOtherValuesAsNumbers) {
  EXPECT_EQ(print_value(enumeration(), 7), "enum simpson bart");
  EXPECT_EQ(print_value(enumeration(), -1), "enum simpson homer");
  EXPECT_EQ(print_value(enumeration(), -2), "enum simpson -2");
}

TEST_F(Print, ShowsStringsWithEscapes) {
  EXPECT_EQ(print(catalog_.string_type(), std::string_view("hello\0\0", 7)), "string \"hello\"");
  EXPECT_EQ(print(catalog_.string_type(), std::string_view("a\"\x1b[2J\n\0", 8)),
            "string \"a\\\"\\033[2J\\n\"");
}

TEST_F(Print, ShowsArraysOnOneLine) {
  const std::uint32_t numbers[] = {1, 2, 0};
  EXPECT_EQ(print_value(catalog_.array_of(named("int"), 3), numbers), "int [3] [ 0x1, 0x2, 0 ]");
  EXPECT_EQ(print(catalog_.array_of(named("int"), 0), ""), "int [] [ ]");
  const TypeId rows = catalog_.array_of(catalog_.array_of(named("int"), 1), 3);
  EXPECT_EQ(print_value(rows, numbers), "int [3][1] [ [ 0x1 ], [ 0x2 ], [ 0 ] ]");
}

TEST_F(Print, ShowsCharArraysAsTextWhereTheyAreText) {
  const TypeId chars = catalog_.array_of(named("char"), 4);
  EXPECT_EQ(print(chars, std::string_view("ab\0\0", 4)), "char [4] \"ab\"");
  EXPECT_EQ(print(chars, "abcd"), "char [4] \"abcd\"");
  EXPECT_EQ(print(chars, std::string_view("\0\0\0\0", 4)), "char [4] \"\"");
  EXPECT_EQ(print(chars, std::string_view("\4\0\0\0", 4)),
            "char [4] [ '\\004', '\\0', '\\0', '\\0' ]");
  EXPECT_EQ(print(chars, std::string_view("a\0b\0", 4)), "char [4] [ 'a', '\\0', 'b', '\\0' ]");
}

TEST_F(Print, ShowsStructuresMemberByMember) {
  const TypeId inner = structure("", 8, {{"alpha", named("uint64_t"), 0, 0}});
  const TypeId outer =
      alias("foo_t", structure("foo", 64,
                               {{"a", named("int"), 0, 0},
                                {"b", catalog_.pointer_to(catalog_.void_type()), 64, 0},
                                {"c", inner, 128, 0},
                                {"d", named("unsigned short"), 192, 0},
                                {"e", enumeration(), 224, 0},
                                {"f", catalog_.array_of(named("char"), 8), 256, 0},
                                {"g", function_pointer(), 320, 0}}));
  const std::uint64_t words[] = {1, 2, 3, 5 | (7ULL << 32), 0x6261, 8, 0, 0};
  EXPECT_EQ(print_value(outer, words),
            "foo_t {\n"
            "    int a = 0x1\n"
            "    void *b = 0x2\n"
            "    struct c = {\n"
            "        uint64_t alpha = 0x3\n"
            "    }\n"
            "    unsigned short d = 0x5\n"
            "    enum simpson e = bart\n"
            "    char [8] f = [ \"ab\" ]\n"
            "    int (*)() g = 0x8\n"
            "}");
}

TEST_F(Print, ShowsBitFieldsAndAnonymousMembers) {
  const TypeId number =
      structure("", 8, {{"u", named("int"), 0, 0}, {"v", named("int"), 0, 0}}, Kind::kUnion);
  const TypeId outer = structure("s", 16,
                                 {{"a", named("int"), 0, 4},
                                  {"b", named("unsigned int"), 4, 7},
                                  {"wide", named("uint64_t"), 11, 53},
                                  {"", number, 64, 0}});
  const std::uint64_t words[] = {0xfULL | (5ULL << 4) | (1ULL << 63), 3};
  EXPECT_EQ(print_value(outer, words),
            "struct s {\n"
            "    int a :4 = 0xf\n"
            "    unsigned int b :7 = 0x5\n"
            "    uint64_t wide :53 = 0x10000000000000\n"
            "    union {\n"
            "        int u = 0x3\n"
            "        int v = 0x3\n"
            "    }\n"
            "}");
}

TEST_F(Print, ShowsArraysOfStructuresOneBelowTheOther) {
  const TypeId element = alias("bar_t", structure("bar", 4, {{"alpha", named("int"), 0, 0}}));
  const TypeId pair = catalog_.array_of(element, 2);
  const std::uint32_t words[] = {5, 6};
  EXPECT_EQ(print_value(pair, words),
            "bar_t [2] [ \n"
            "    bar_t {\n"
            "        int alpha = 0x5\n"
            "    }, \n"
            "    bar_t {\n"
            "        int alpha = 0x6\n"
            "    }\n"
            "]");
  EXPECT_EQ(print_value(structure("s", 8, {{"b", pair, 0, 0}}), words),
            "struct s {\n"
            "    bar_t [2] b = [ \n"
            "        bar_t {\n"
            "            int alpha = 0x5\n"
            "        }, \n"
            "        bar_t {\n"
            "            int alpha = 0x6\n"
            "        }\n"
            "    ]\n"
            "}");
}

TEST_F(Print, LeavesOutWhatHasNoValueAndReadsNothingBeyondTheBytes) {
  Type declared;
  declared.kind = Kind::kForward;
  declared.name = "unknown";
  const TypeId unknown = catalog_.add(std::move(declared));
  std::vector<record::Shape> shapes;
  EXPECT_EQ(record::add_shape(catalog_, unknown, shapes), record::kNoShape);
  EXPECT_EQ(record::add_shape(catalog_, catalog_.void_type(), shapes), record::kNoShape);
  EXPECT_EQ(print(structure("s", 8, {{"a", unknown, 0, 0}, {"b", named("int"), 32, 0}}), "abcd"),
            "struct s {\n    int b = 0\n}");
  EXPECT_EQ(print(catalog_.array_of(named("int"), 2), ""), "int [2] [ 0, 0 ]");
}

TEST_F(Print, SurvivesATypeThatLiesWithinItself) {
  const TypeId knot = structure("knot", 8, {});
  Type type;
  type.kind = Kind::kStruct;
  type.name = "knot";
  type.size = 8;
  type.members = {{"a", knot, 0, 0}, {"b", knot, 0, 0}, {"c", named("int"), 0, 0}};
  catalog_.define(knot, std::move(type));
  EXPECT_EQ(print_value(knot, 1L), "struct knot {\n    int c = 0x1\n}");
}

}  // namespace
}  // namespace dt::consumer
