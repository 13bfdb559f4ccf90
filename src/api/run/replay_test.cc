// Recordings of earlier versions of the format can be read forever: tests/recordings has one of
// each. None of these tests needs rights.

#include <gtest/gtest.h>

#include <algorithm>

#include "api/output/handler_output.h"
#include "dtrace/tracer.h"
#include "support/file.h"

namespace dtrace {
namespace {

const std::string kDirectory = DT_RECORDINGS_DIRECTORY;

std::string content(const std::string& name) {
  const auto file = dt::support::read_file(kDirectory + "/" + name);
  EXPECT_TRUE(file.ok()) << name;
  return file.ok() ? *file : "";
}

struct Replayed {
  int status = -1;
  std::string text;
  std::vector<std::string> messages;
};

Replayed replay(const std::string& form, const std::string& name = "v1.dtr") {
  Replayed out;
  Tracer tracer;
  EXPECT_TRUE(tracer.set_option("oformat", form).ok());
  EXPECT_TRUE(tracer.open(kDirectory + "/" + name).ok());
  tracer.write_to([&](std::string_view text) { out.text += text; });
  tracer.on_message([&](const Message& message) { out.messages.push_back(message.text); });
  const Status status = tracer.run();
  EXPECT_TRUE(status.ok()) << status.error().text;
  out.status = tracer.exit_status();
  return out;
}

TEST(Replay, a_recording_of_version_1_has_its_text_messages_and_status) {
  const Replayed got = replay("text");
  EXPECT_EQ(got.text, content("v1.txt"));
  EXPECT_EQ(got.status, 4);
  EXPECT_EQ(got.messages,
            (std::vector<std::string>{"error on enabled probe ID 3 (ID 1: dtrace:::BEGIN): invalid "
                                      "address (0x0) in action #1 at v1.d:28:13"}));
}

// Most of their records are written as their differences to others, each by itself or several
// together.
TEST(Replay, recordings_of_versions_4_and_5_have_their_text_and_messages) {
  for (const char* const name : {"v4.dtr", "v5.dtr"}) {
    const Replayed got = replay("text", name);
    EXPECT_EQ(got.text, content("v4.txt"));
    EXPECT_EQ(got.status, 0);
    ASSERT_EQ(got.messages.size(), 2U);
    EXPECT_NE(got.messages[1].find("at v4.d:22:13: 4 more times"), std::string::npos);
  }
}

TEST(Replay, other_forms_are_made_of_it) {
  EXPECT_EQ(replay("folded").text, "getppid`main;libc.so.6`syscall 3\n");
  EXPECT_NE(replay("svg").text.find("libc.so.6`syscall"), std::string::npos);
  EXPECT_NE(replay("csv").text.find("NAME,VALUE"), std::string::npos);
  EXPECT_EQ(replay("none").text, "");
  EXPECT_NE(replay("html").text.find("id=\"data\""), std::string::npos);
}

TEST(Replay, handlers_of_the_systemtap_language_say_what_they_have_said) {
  const std::string name = "v1-handlers.dtr";
  const Replayed got = replay("text", name);
  EXPECT_EQ(got.text, content("v1-handlers.txt"));
  EXPECT_EQ(got.status, 1);
  EXPECT_EQ(got.messages, (std::vector<std::string>{
                              "WARNING: careful", "system() is not done again for a recording",
                              "ERROR: enough", "WARNING: Number of errors: 1, skipped probes: 0"}));
  const std::string lines = replay("jsonl", name).text, metrics = replay("prometheus", name).text;
  EXPECT_NE(lines.find("\"kind\":\"linear\",\"low\":0,\"high\":50,\"width\":10"),
            std::string::npos);
  EXPECT_NE(metrics.find("# TYPE dtrace_level gauge\n"), std::string::npos);
  EXPECT_NE(metrics.find("# TYPE dtrace_n_total counter\n"), std::string::npos);
  EXPECT_NE(replay("folded", name).text.find("cat;libc.so.6`"), std::string::npos);
}

// To the byte, as other programs read them, and pages that were saved.
TEST(Replay, view_lines_stay_as_they_are) { EXPECT_EQ(replay("views").text, content("v1.views")); }

TEST(Replay, a_program_is_given_records_and_rows) {
  Tracer tracer;
  ASSERT_TRUE(tracer.open(kDirectory + "/v1.dtr").ok());
  std::vector<std::string> texts;
  std::int64_t counted = 0;
  tracer.on_record([&](const Record& record) {
    for (const Action& action : record.actions) {
      if (action.name == "printf") texts.push_back(action.text);
      if (action.name != "printa") continue;
      const auto aggregation = tracer.snapshot("counts");
      ASSERT_TRUE(aggregation.ok());
      counted += static_cast<std::int64_t>(aggregation->rows.size());
    }
  });
  ASSERT_TRUE(tracer.run().ok());
  EXPECT_EQ(texts, (std::vector<std::string>{"a record -5 ffff\n", "speculated\n", "the end\n"}));
  EXPECT_EQ(counted, 3);
  EXPECT_EQ(tracer.aggregations().front(), "counts");
}

TEST(Replay, a_text_without_end_is_written_in_parts) {
  dt::api::Options options;
  options.oformat = "jsonl";
  const dt::api::Callbacks callbacks;
  std::size_t lines = 0;
  dt::consumer::FileOutput output([&](std::string_view text) {
    lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  });
  dt::api::HandlerOutput handlers(options, callbacks);
  handlers.write_to(output);
  dt::front::Outcome part;
  part.text.assign(std::size_t{1} << 20, 'x');
  part.goes_on = true;
  for (std::size_t size = 0; size < dt::api::HandlerOutput::kMostText; size += part.text.size()) {
    output.flush();
    EXPECT_EQ(lines, 0U);
    handlers.take(part);
  }
  output.flush();
  EXPECT_EQ(lines, 1U);
}

TEST(Replay, takes_no_programs_and_no_other_files) {
  Tracer tracer;
  tracer.add({Program::Kind::kName, "BEGIN"});
  ASSERT_TRUE(tracer.open(kDirectory + "/v1.dtr").ok());
  EXPECT_FALSE(tracer.compile().ok());
  Tracer other;
  ASSERT_TRUE(other.open(kDirectory + "/v1.d").ok());
  const Status status = other.compile();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().text.find("it is no recording of dtrace"), std::string::npos);
  Tracer picture;
  ASSERT_TRUE(picture.open(kDirectory + "/absent.dtr").ok());
  EXPECT_FALSE(picture.compile().ok());
}

}  // namespace
}  // namespace dtrace
