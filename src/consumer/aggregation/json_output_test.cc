// -x oformat=json and jsonl.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "record/drop.h"
#include "testing/consumer/trial.h"

namespace dt::consumer::testing {
namespace {

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
