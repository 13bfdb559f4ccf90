// Tracing through the library. Probes that other processes can fire are
// restricted to this one by pid.

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dtrace/tracer.h"
#include "support/result.h"
#include "testing/api/toy_language.h"
#include "testing/api/tracer_in_test.h"

namespace dtrace {
namespace {

using namespace std::chrono_literals;

class TracerRoot : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) {
      GTEST_SKIP() << "needs root";
    }
  }
};

// A tracer of one program whose records are kept.
struct Kept {
  explicit Kept(std::string text) {
    tracer.add({Program::Kind::kName, std::move(text)});
    tracer.on_record([this](const Record& record) { records.push_back(record); });
    tracer.on_message([this](const Message& message) { messages.push_back(message.text); });
  }
  void run() {
    const Status status = tracer.run();
    EXPECT_TRUE(status.ok()) << status.error().text;
  }
  Tracer tracer;
  std::vector<Record> records;
  std::vector<std::string> messages;
};

Value integer(std::string name, std::int64_t value) { return {std::move(name), "int64", value}; }

TEST_F(TracerRoot, RecordsAreTypedValues) {
  Kept kept("BEGIN { printf(\"%d %s\", (int64_t)-5, \"x\"); trace((uint8_t)200); exit(3); }");
  kept.run();
  ASSERT_EQ(kept.records.size(), 1U);
  const Record& record = kept.records[0];
  EXPECT_EQ(to_text(record.probe), "dtrace:::BEGIN");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  EXPECT_LT(std::chrono::abs(now - std::chrono::nanoseconds(record.time_ns)), 1min);
  ASSERT_EQ(record.actions.size(), 3U);
  EXPECT_EQ(record.actions[0],
            (Action{"printf",
                    "-5 x",
                    {integer("(int64_t)-5", -5), Value{"\"x\"", "string", std::string("x")}},
                    {}}));
  EXPECT_EQ(record.actions[1].values[0], (Value{"(uint8_t)200", "uint8", std::uint64_t{200}}));
  EXPECT_EQ(record.actions[2].name, "exit");
  ASSERT_NE(record.find("(uint8_t)200"), nullptr);
  EXPECT_EQ(record.find("nothing"), nullptr);
  EXPECT_EQ(kept.tracer.exit_status(), 3);
}

TEST_F(TracerRoot, StructuresHaveMembersAndStacksFrames) {
  Kept kept("BEGIN { print(*curthread->fs); exit(0); }");
  kept.run();
  ASSERT_EQ(kept.records.size(), 1U);
  const Value& value = kept.records[0].actions[0].values[0];
  EXPECT_EQ(value.type, "struct fs_struct");
  const auto& members = std::get<Structure>(value.data).members;
  const auto umask = std::find_if(members.begin(), members.end(),
                                  [](const Value& member) { return member.name == "umask"; });
  ASSERT_NE(umask, members.end());
  EXPECT_EQ(umask->type, "int");
  EXPECT_GE(std::get<std::int64_t>(umask->data), 0);
  EXPECT_NE(to_text(value).find("umask = "), std::string::npos);

  Kept stacks("syscall::getppid:entry /pid == $1/ { stack(); exit(0); }");
  stacks.tracer.add_argument(std::to_string(::getpid()));
  ASSERT_TRUE(stacks.tracer.go().ok());
  for (int i = 0; i < 100 && stacks.records.empty(); ++i) {
    ::syscall(SYS_getppid);
    ASSERT_TRUE(stacks.tracer.poll(50ms).ok());
  }
  ASSERT_TRUE(stacks.tracer.stop().ok());
  ASSERT_FALSE(stacks.records.empty());
  const Stack& stack = std::get<Stack>(stacks.records[0].actions[0].values[0].data);
  ASSERT_FALSE(stack.frames.empty());
  EXPECT_EQ(stack.frames[0].module, "vmlinux");
  EXPECT_FALSE(stack.frames[0].symbol.empty());
}

TEST_F(TracerRoot, AProgramInAnotherLanguageIsTraced) {
  Tracer tracer;
  TracerInTest::add_language(tracer, dt::toy::language());
  Program program = {Program::Kind::kName,
                     "on dtrace.BEGIN print pid\non syscall.getppid.entry count pid\n"};
  program.language = "toy";
  ASSERT_TRUE(tracer.add(std::move(program)).ok());
  std::vector<Record> records;
  tracer.on_record([&records](const Record& record) { records.push_back(record); });
  const Status status = tracer.go();
  ASSERT_TRUE(status.ok()) << status.error().text << status.error().excerpt;
  for (int i = 0; i < 3; ++i) {
    ::syscall(SYS_getppid);
  }
  ASSERT_TRUE(tracer.stop().ok());
  const std::string own = std::to_string(::getpid());
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].probe.name, "BEGIN");
  EXPECT_EQ(to_text(records[0].actions.at(0).values.at(0)), own);
  const Result<Aggregation> counts = tracer.snapshot("pid");
  ASSERT_TRUE(counts.ok()) << counts.error().text;
  const auto mine = std::find_if(counts->rows.begin(), counts->rows.end(),
                                 [&](const Row& row) { return to_text(row.keys.at(0)) == own; });
  ASSERT_NE(mine, counts->rows.end());
  EXPECT_EQ(mine->value, 3);
}

TEST_F(TracerRoot, AggregationsAreReadWhileTheyAreFilled) {
  Kept kept("syscall::getppid:entry /pid == $1/ { @calls[probefunc, 7] = count(); }");
  kept.tracer.add_argument(std::to_string(::getpid()));
  ASSERT_TRUE(kept.tracer.go().ok());
  for (const std::int64_t expected : {3, 5}) {
    const int more = expected == 3 ? 3 : 2;
    for (int i = 0; i < more; ++i) {
      ::syscall(SYS_getppid);
    }
    const Result<Aggregation> calls = kept.tracer.snapshot("calls");
    ASSERT_TRUE(calls.ok()) << calls.error().text;
    EXPECT_EQ(calls->function, "count");
    ASSERT_EQ(calls->rows.size(), 1U);
    EXPECT_EQ(calls->rows[0].value, expected);
    EXPECT_EQ(calls->rows[0].keys[0], (Value{"probefunc", "string", std::string("getppid")}));
    EXPECT_EQ(to_text(calls->rows[0].keys[1]), "7");
  }
  EXPECT_EQ(kept.tracer.snapshot("others").error().text, "there is no aggregation @others");
  ASSERT_TRUE(kept.tracer.stop().ok());
  EXPECT_EQ(kept.tracer.snapshot("calls")->rows[0].value, 5);
}

TEST_F(TracerRoot, HistogramsAreBucketsWithBounds) {
  Kept kept(
      "BEGIN { @q = quantize(0); @q = quantize(-3); @q = quantize(5); @q = quantize(7); "
      "@l = lquantize(-1, 0, 100, 10); @l = lquantize(15, 0, 100, 10); "
      "@l = lquantize(100, 0, 100, 10); "
      "@ll = llquantize(42, 10, 0, 2, 10); exit(0); }");
  kept.run();
  const auto buckets = [&](const char* name) {
    return kept.tracer.snapshot(name)->rows[0].buckets;
  };
  EXPECT_EQ(buckets("q"), (std::vector<Bucket>{{-3, -2, 1}, {0, 0, 1}, {4, 7, 2}}));
  constexpr std::int64_t kLow = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kHigh = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(buckets("l"), (std::vector<Bucket>{{kLow, -1, 1}, {10, 19, 1}, {100, kHigh, 1}}));
  EXPECT_EQ(buckets("ll"), (std::vector<Bucket>{{40, 49, 1}}));
}

TEST_F(TracerRoot, ARecordSeesAggregationsAsItsActionsDo) {
  Tracer tracer;
  tracer.add({Program::Kind::kName,
              "BEGIN { @a = sum(41); printa(@a); clear(@a); @a = sum(1); exit(0); }"});
  std::vector<std::int64_t> values;
  tracer.on_record([&](const Record& record) {
    EXPECT_EQ(record.actions[0].aggregations, std::vector<std::string>{"a"});
    values.push_back(tracer.snapshot("a")->rows[0].value);
  });
  ASSERT_TRUE(tracer.run().ok());
  EXPECT_EQ(values, std::vector<std::int64_t>{42});
  EXPECT_EQ(tracer.snapshot("a")->rows[0].value, 0);
}

TEST_F(TracerRoot, FaultsAndDropsAreValues) {
  Kept kept("BEGIN { n = 0; trace(1 / n); } END { exit(0); } tick-1ms { exit(0); }");
  std::vector<Fault> faults;
  kept.tracer.on_fault([&](const Fault& fault) { faults.push_back(fault); });
  kept.run();
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(to_text(faults[0].probe), "dtrace:::BEGIN");
  EXPECT_EQ(faults[0].fault, "divide-by-zero");
  EXPECT_EQ(faults[0].action, 2U);
  EXPECT_EQ(faults[0].place, "1:22");
  EXPECT_TRUE(kept.messages.empty());

  Kept full("BEGIN { @[1] = count(); @[2] = count(); @[3] = count(); self->a = 1; exit(0); }");
  ASSERT_TRUE(full.tracer.set_option("aggsize", "64").ok());
  std::uint64_t lost = 0;
  full.tracer.on_drop([&](const Drop& drop) {
    EXPECT_EQ(drop.kind, "AGGREGATION");
    lost += drop.count;
  });
  full.run();
  EXPECT_EQ(lost + full.tracer.snapshot("_")->rows.size(), 3U);
  EXPECT_GT(lost, 0U);
}

TEST_F(TracerRoot, UntoldFaultsAreMessages) {
  Kept kept("BEGIN { n = 0; trace(1 / n); } tick-1ms { exit(0); }");
  kept.run();
  ASSERT_EQ(kept.messages.size(), 1U);
  EXPECT_NE(kept.messages[0].find("divide-by-zero in action #2"), std::string::npos);
}

TEST_F(TracerRoot, WritesWhatDtracePrints) {
  std::string text;
  Kept kept("BEGIN { printf(\"%d\\n\", 6 * 7); @[\"key\"] = sum(5); exit(0); }");
  ASSERT_TRUE(kept.tracer.set_option("quiet").ok());
  kept.tracer.write_to([&](std::string_view part) { text += part; });
  kept.run();
  EXPECT_EQ(text,
            "42\n\n"
            "  key" +
                std::string(63, ' ') + "5\n");
  EXPECT_EQ(kept.records.size(), 1U);
}

TEST_F(TracerRoot, PollKeepsItsDeadlineAndInterruptsEnd) {
  Kept kept("tick-10ms { trace(i++); }");
  ASSERT_TRUE(kept.tracer.go().ok());
  const auto begin = std::chrono::steady_clock::now();
  Result<bool> goes_on = kept.tracer.poll(300ms);
  EXPECT_TRUE(goes_on.ok() && *goes_on);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 300ms);
  EXPECT_FALSE(kept.records.empty());
  const int wake = ::eventfd(1, EFD_CLOEXEC);
  ASSERT_TRUE(kept.tracer.watch(wake, [&] { kept.tracer.interrupt(); }).ok());
  goes_on = kept.tracer.poll(60s);
  EXPECT_TRUE(goes_on.ok() && !*goes_on);
  EXPECT_TRUE(kept.tracer.is_interrupted());
  ASSERT_TRUE(kept.tracer.stop().ok());
  EXPECT_EQ(kept.tracer.exit_status(), 0);
  for (std::size_t i = 0; i < kept.records.size(); ++i) {
    EXPECT_EQ(std::get<std::int64_t>(kept.records[i].actions[0].values[0].data),
              static_cast<std::int64_t>(i));
  }
  ::close(wake);
}

TEST_F(TracerRoot, CommandsBeginWithItAndEndIt) {
  Kept kept(
      "proc:::exec-success /pid == $target/ { trace(execname); } "
      "syscall::exit_group:entry /pid == $target/ { trace(arg0); }");
  kept.tracer.add_command("sh -c 'exit 3'");
  kept.run();
  ASSERT_FALSE(kept.records.empty());
  EXPECT_EQ(to_text(kept.records.back().actions[0].values[0]), "3");
  ASSERT_EQ(kept.messages.size(), 1U);
  EXPECT_NE(kept.messages[0].find("exited with status 3"), std::string::npos);
}

TEST_F(TracerRoot, TwoTracersDoNotMeet) {
  Kept one("BEGIN { x = 1; @ = sum(x); } tick-5ms { exit(1); }");
  Kept two("int x; BEGIN { @ = sum(x + 2); } tick-5ms { exit(2); }");
  ASSERT_TRUE(one.tracer.go().ok());
  ASSERT_TRUE(two.tracer.go().ok());
  one.run();
  two.run();
  EXPECT_EQ(one.tracer.exit_status(), 1);
  EXPECT_EQ(two.tracer.exit_status(), 2);
  EXPECT_EQ(one.tracer.snapshot("_")->rows[0].value, 1);
  EXPECT_EQ(two.tracer.snapshot("_")->rows[0].value, 2);
}

TEST_F(TracerRoot, HandlersOfStapGiveTextOrLinesToAFunction) {
  for (const bool has_lines : {false, true}) {
    Tracer tracer;
    Program program{Program::Kind::kName,
                    "global n = 6 probe begin { println(n * 7) exit() } probe end { n = 1 }"};
    program.language = "stap";
    tracer.add(std::move(program));
    ASSERT_TRUE(tracer.set_option("oformat", has_lines ? "jsonl" : "text").ok());
    std::string out;
    tracer.write_to([&out](std::string_view text) { out += text; });
    const Status status = tracer.run();
    ASSERT_TRUE(status.ok()) << status.error().text;
    EXPECT_EQ(tracer.exit_status(), 0);
    if (!has_lines) {
      EXPECT_EQ(out, "42\n");
      continue;
    }
    EXPECT_TRUE(out.starts_with("{\"v\":1,\"type\":\"text\",\"time\":")) << out;
    EXPECT_TRUE(
        out.ends_with(",\"point\":\"begin\",\"text\":\"42\\n\"}\n"
                      "{\"v\":1,\"type\":\"end\",\"status\":0}\n"))
        << out;
  }
}

}  // namespace
}  // namespace dtrace
