// JSON text: valid whatever it is given.

#include "consumer/json.h"

#include <gtest/gtest.h>

#include <limits>

#include "record/drop.h"
#include "testing/consumer/trial.h"

namespace dt::consumer::testing {
namespace {

std::string string_of(std::string_view text) {
  std::string out;
  Json(out).string(text);
  return out;
}

TEST(Json, PutsCommasWhereTheyBelong) {
  std::string out;
  Json json(out);
  json.begin_object().field("a", std::int64_t{-1}).key("b").begin_array();
  json.number(std::uint64_t{1}).null().boolean(true).begin_object().end_object();
  json.end_array().field("c", "x").end_object();
  EXPECT_EQ(out, R"({"a":-1,"b":[1,null,true,{}],"c":"x"})");
}

TEST(Json, EscapesWhatJsonEscapes) {
  EXPECT_EQ(string_of("a\"b\\c\n\t\x1b\x7f"), R"("a\"b\\c\n\t\u001b\u007f")");
  EXPECT_EQ(string_of(std::string_view("a\0b", 3)), R"("a\u0000b")");
  EXPECT_EQ(string_of("\xc3\xa9"), "\"\xc3\xa9\"");
}

TEST(Json, EscapesWhatATerminalObeys) {
  EXPECT_EQ(string_of("\u0080\u009b\u00a0"), "\"\\u0080\\u009b\u00a0\"");
  EXPECT_EQ(string_of("a\u202eb\u2066\u200f\u061c"), R"("a\u202eb\u2066\u200f\u061c")");
}

TEST(Json, IsUtf8WhateverItIsGiven) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    all += static_cast<char>(byte);
  }
  EXPECT_FALSE(is_utf8(all));
  EXPECT_TRUE(is_utf8(string_of(all)));
  EXPECT_EQ(string_of("a\xff\xc0\xaf"), R"("a\ufffd\ufffd\ufffd")");
  EXPECT_TRUE(is_utf8("\xe2\x82\xac"));
  EXPECT_FALSE(is_utf8("\xed\xa0\x80")) << "surrogate";
}

TEST(Json, HasNoNumberForWhatIsNone) {
  std::string out;
  Json json(out);
  json.begin_array().real(0.5L).real(std::numeric_limits<long double>::infinity()).end_array();
  EXPECT_EQ(out, "[0.5,null]");
}

// The name comes from a traced file, and is shown longer than it is.
TEST(JsonDocument, TheValueOfAPrintIsWithoutTheNameOfItsType) {
  Trial run;
  run.options.form = Form::kJson;
  record::Layout layout;
  layout.fields = {{int_type(4), 0}};
  record::Shape shape;
  shape.name = "a\nb";
  shape.size = 4;
  layout.shapes = {shape};
  Action action;
  action.kind = ActionKind::kPrint;
  action.field_count = 1;
  action.shape = 0;
  layout.actions = {action};
  record::place_fields(layout);
  run.consume(run.bind(std::move(layout)), {int_bytes(7, 4)});
  const std::string text = run.text();
  EXPECT_NE(text.find(R"("value":"0x7")"), std::string::npos) << text;
}

TEST(JsonLines, TellOfRecordsAggregationsDropsAndTheEnd) {
  Trial run;
  run.options.form = Form::kJsonLines;
  run.aggregation(AggFunc::kCount, {int_type(4)}, {}, "n");
  run.source.add(0, int_bytes(7, 4) + int_bytes(0, 4), {5});
  record::Layout layout;
  layout.fields = {{int_type(4), 0}, {int_type(8), 0}};
  Action action;
  action.kind = ActionKind::kTrace;
  action.field_count = 1;
  layout.actions = {action};
  layout.has_time = true;
  record::place_fields(layout);
  const std::uint32_t epid = run.bind(std::move(layout), 132);
  run.consume(epid, {int_bytes(42), int_bytes(1000)}, 1);
  EXPECT_EQ(run.text(),
            R"({"v":1,"type":"record","time":1000,"cpu":1,"epid":1,"probe":{"id":132,)"
            R"("provider":"syscall","module":"vmlinux","function":"openat","name":"entry"},)"
            R"("actions":[{"action":"trace","values":[{"type":"int32","value":42}]}]})"
            "\n");
  std::vector<std::uint64_t> counters(record::kDropCounters);
  counters[0] = 17;
  run.consumer().report_drops(counters);
  run.consumer().print_end(0);
  EXPECT_EQ(run.text(), R"({"v":1,"type":"drop","kind":"PRINCIPAL","cpu":0,"count":17,)"
                        R"("message":"17 drops on CPU 0"})"
                        "\n"
                        R"({"v":1,"type":"end","status":0})"
                        "\n");
  EXPECT_EQ(run.errors, std::vector<std::string>{"17 drops on CPU 0"});
}

}  // namespace
}  // namespace dt::consumer::testing
