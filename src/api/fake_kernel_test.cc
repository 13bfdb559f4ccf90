// The assembled pipeline, from the text of a script to its output, on a kernel that is
// made of memory; and each call that it makes to that kernel, refused.

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "dtrace/tracer.h"
#include "testing/api/toy_language.h"
#include "testing/api/tracer_in_test.h"
#include "testing/kernel/fake.h"

namespace dtrace {

using dt::kernel::FakeKernel;

// A Tracer on a FakeKernel.
struct TracerOnFake {
  TracerOnFake() {
    auto made = std::make_unique<FakeKernel>(2);
    kernel = made.get();
    TracerInTest::run_on(tracer, std::move(made));
    tracer.write_to([this](std::string_view text) { output += text; });
    tracer.on_message([this](const Message& message) { messages += message.text + "\n"; });
    kernel->on_run = [this](const std::string& program, std::span<const std::uint64_t>) {
      fire(program);
      return 0U;
    };
  }

  // What a program does: each of its clauses records that it was here, and zeros.
  void fire(const std::string& program) {
    const dt::api::Compiled& compiled = TracerInTest::compiled(tracer);
    for (std::size_t i = 0; i < compiled.plan.schema.epids.size(); ++i) {
      const dt::record::ProbeNames* const probe =
          find_probe(compiled.plan.schema, compiled.plan.schema.epids[i].probe);
      if (probe != nullptr && program == "dt_dtrace_" + probe->name) {
        record(static_cast<std::uint32_t>(i + 1),
               compiled.plan.schema.layouts[compiled.plan.schema.epids[i].layout].size_bytes);
      }
    }
  }
  void record(std::uint32_t epid, std::uint32_t size) {
    const dt::record::Header header{epid, 0, static_cast<std::uint16_t>(dt::record::Kind::kClause)};
    std::vector<std::uint8_t> bytes(std::max<std::size_t>(size, sizeof header));
    std::memcpy(bytes.data(), &header, sizeof header);
    kernel->push("dt_ring", std::move(bytes));
  }
  void call_exit(std::int32_t status) {
    auto& control = *reinterpret_cast<dt::bpf::Control*>(kernel->memory("dt_globals"));
    control.state = static_cast<std::uint32_t>(dt::bpf::State::kDraining);
    control.exit_status = status;
  }

  void end_session() { TracerInTest::end_session(tracer); }

  FakeKernel* kernel = nullptr;
  std::string output, messages;
  Tracer tracer;
};

namespace {

// By which a feature is tried: where it is refused, another way is taken.
constexpr const char* kTrial = "load_program dt_try";

constexpr const char* kScript =
    "BEGIN { printf(\"begins\\n\"); }\n"
    "syscall::openat:entry, tick-1h { @opened[execname] = count(); self->opened = 1; }\n"
    "END { printf(\"ends\\n\"); clear(@opened); }\n";

void add_script(TracerOnFake& on_fake) {
  ASSERT_TRUE(on_fake.tracer.add({Program::Kind::kName, kScript}).ok());
}

// From compile() to stop(), as far as it goes.
Status trace(TracerOnFake& on_fake) {
  Tracer& tracer = on_fake.tracer;
  if (Status status = tracer.compile(); !status) return status;
  if (Status status = tracer.enable(); !status) return status;
  if (Status status = tracer.go(); !status) return status;
  on_fake.call_exit(3);
  if (const Result<bool> goes_on = tracer.poll(std::chrono::milliseconds(0)); !goes_on) {
    return goes_on.error();
  }
  if (Status status = tracer.read("opened", [](const Row&) {}); !status) return status;
  return tracer.stop();
}

TEST(OnTheFakeKernel, RunsAScriptFromItsTextToItsOutput) {
  TracerOnFake on_fake;
  add_script(on_fake);
  const Status status = trace(on_fake);
  ASSERT_TRUE(status.ok()) << status.error().text;
  EXPECT_NE(on_fake.output.find("begins\n"), std::string::npos) << on_fake.output;
  EXPECT_LT(on_fake.output.find("begins\n"), on_fake.output.find("ends\n")) << on_fake.output;
  EXPECT_EQ(on_fake.tracer.exit_status(), 3);
  EXPECT_EQ(on_fake.messages, "");
  EXPECT_NE(on_fake.kernel->program("dt_syscall_entr"), nullptr);
  EXPECT_GT(on_fake.kernel->open_descriptors(), 0U);
  on_fake.end_session();
  EXPECT_EQ(on_fake.kernel->open_descriptors(), 0U);
}

TEST(OnTheFakeKernel, RunsAProgramInALanguageThatOnlyTheTestKnows) {
  TracerOnFake on_fake;
  TracerInTest::add_language(on_fake.tracer, dt::toy::language());
  Program program = {Program::Kind::kName,
                     "on dtrace.BEGIN print pid\non syscall.openat.entry count execname\n"};
  program.language = "toy";
  ASSERT_TRUE(on_fake.tracer.add(std::move(program)).ok());
  ASSERT_TRUE(on_fake.tracer.compile().ok());
  EXPECT_EQ(on_fake.tracer.matched(), (std::vector<std::uint32_t>{2}));
  ASSERT_TRUE(on_fake.tracer.go().ok());
  on_fake.call_exit(0);
  ASSERT_TRUE(on_fake.tracer.poll(std::chrono::milliseconds(0)).ok());
  ASSERT_TRUE(on_fake.tracer.stop().ok());
  EXPECT_NE(on_fake.output.find(":BEGIN"), std::string::npos) << on_fake.output;
  EXPECT_NE(on_fake.kernel->program("dt_syscall_entr"), nullptr);
  EXPECT_EQ(on_fake.messages, "");
}

TEST(OnTheFakeKernel, ProgramsInTwoLanguagesAreNotTracedTogether) {
  TracerOnFake on_fake;
  TracerInTest::add_language(on_fake.tracer, dt::toy::language());
  Program toy = {Program::Kind::kName, "on dtrace.BEGIN stop"};
  toy.language = "toy";
  ASSERT_TRUE(on_fake.tracer.add({Program::Kind::kName, "BEGIN { exit(0); }"}).ok());
  ASSERT_TRUE(on_fake.tracer.add(std::move(toy)).ok());
  const Status status = on_fake.tracer.compile();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text, "programs in 'd' and in 'toy' cannot be traced together");
}

TEST(OnTheFakeKernel, WhatIsWrongWithAProgramIsSaidByItsLanguage) {
  TracerOnFake on_fake;
  TracerInTest::add_language(on_fake.tracer, dt::toy::language());
  Program toy = {Program::Kind::kScript, "x.toy", "on syscall.opneat.entry count pid\n"};
  toy.language = "toy";
  ASSERT_TRUE(on_fake.tracer.add(std::move(toy)).ok());
  const Status status = on_fake.tracer.compile();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text,
            "failed to compile script x.toy: line 1: no probe matches syscall.opneat.entry");
  ASSERT_EQ(on_fake.tracer.diagnostics().size(), 1U);
  EXPECT_EQ(on_fake.tracer.diagnostics()[0].tag, "");
  EXPECT_EQ(on_fake.tracer.diagnostics()[0].hint, "the nearest is syscall::openat:entry");
}

TEST(OnTheFakeKernel, OnlyDCallsTheTextOfAProgramAProbeSpecifier) {
  const auto error_of = [](const char* language, const char* text) {
    TracerOnFake on_fake;
    TracerInTest::add_language(on_fake.tracer, dt::toy::language());
    Program program = {Program::Kind::kName, text};
    program.language = language;
    EXPECT_TRUE(on_fake.tracer.add(std::move(program)).ok());
    const Status status = on_fake.tracer.compile();
    return status.ok() ? std::string() : status.error().text;
  };
  EXPECT_EQ(error_of("toy", "on syscall.opneat.entry count pid\n"),
            "failed to compile the program: no probe matches syscall.opneat.entry");
  EXPECT_EQ(error_of("d", "BEGIN {\n= }"),
            "invalid probe specifier BEGIN {...: syntax error near \"=\"");
}

TEST(OnTheFakeKernel, AnyCallThatItRefusesIsNamedAndNothingLeaks) {
  std::size_t refused = 0;
  for (std::size_t nth = 1;; ++nth) {
    TracerOnFake on_fake;
    add_script(on_fake);
    on_fake.kernel->fail_any(nth, EPERM);
    const Status status = trace(on_fake);
    const bool is_reached = on_fake.kernel->calls().size() >= nth;
    if (!is_reached) {
      EXPECT_TRUE(status.ok()) << status.error().text;
      break;
    }
    const std::string call = on_fake.kernel->calls()[nth - 1];
    if (call != kTrial) {
      // What is printed at the end is delivered as a message, and then the exit status is 1.
      const std::string callbacks = status.ok() ? on_fake.messages : status.error().text;
      EXPECT_NE(callbacks.find(call + ": Operation not permitted"), std::string::npos)
          << call << ": " << callbacks;
      EXPECT_EQ(on_fake.tracer.exit_status(), 1) << call;
      ++refused;
    }
    on_fake.end_session();
    EXPECT_EQ(on_fake.kernel->open_descriptors(), 0U) << call;
  }
  EXPECT_GT(refused, 20U);
}

}  // namespace
}  // namespace dtrace
