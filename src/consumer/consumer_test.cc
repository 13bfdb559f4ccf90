// Rows, the default format of every field, printf, faults and bad records.

#include "consumer/consumer.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "support/fd.h"
#include "testing/consumer/trial.h"

namespace {
std::size_t allocations = 0;
}  // namespace

// Counts what this program allocates. Not inlined: g++ then sees free() of what it takes for the
// result of its own operator new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) {
    return memory;
  }
  std::abort();
}
// std::stable_sort() calls it; that of a sanitizer would not be of the same memory.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace dt::consumer::testing {
namespace {

std::string blanks(std::size_t count) { return std::string(count, ' '); }

TEST(Consumer, PrintsTheHeaderOnceAndARowForEachRecord) {
  Trial run;
  run.options.quiet = false;
  const std::uint32_t epid = run.clause(ActionKind::kTrace, {int_type(8)});
  const std::uint32_t empty = run.clause(ActionKind::kDefault, {}, {}, {}, 132);
  run.consume(epid, {int_bytes(42)});
  run.consume(empty, {}, 12);
  EXPECT_EQ(run.text(),
            "CPU     ID                    FUNCTION:NAME\n"
            "  0      1                           :BEGIN                42\n"
            " 12    132                     openat:entry \n");
  EXPECT_TRUE(run.errors.empty());
}

TEST(Consumer, BareRowsHaveNeitherTheCpuNorTheId) {
  for (const bool flow : {false, true}) {
    Trial run;
    run.options.quiet = false;
    run.options.bare = true;
    run.options.flow_indent = flow;
    run.consume(run.clause(ActionKind::kTrace, {int_type(8)}), {int_bytes(42)}, 12);
    EXPECT_EQ(run.text(),
              flow ? "FUNCTION                                 \n"
                     "| :BEGIN" +
                         blanks(34) + "               42\n"
                   : blanks(19) + "FUNCTION:NAME\n" + blanks(26) + ":BEGIN                42\n");
  }
}

TEST(Consumer, QuietPrintsNoHeaderAndNoRows) {
  Trial run;
  run.consume(run.clause(ActionKind::kDefault, {}));
  EXPECT_EQ(run.text(), "");
}

TEST(Consumer, FormatsEachKindOfFieldByDefault) {
  const std::string text_33 = "bash" + blanks(29);
  const auto padded = [](const std::string& text) {
    return "  " + text + blanks(50 - text.size());
  };
  const struct {
    FieldType type;
    std::string bytes;
    std::string normal;
    std::string quiet;
  } kTable[] = {
      {int_type(8), int_bytes(42), "               42", "42"},
      {int_type(8), int_bytes(static_cast<std::uint64_t>(-1)), "               -1", "-1"},
      {int_type(8, false), int_bytes(UINT64_MAX), "               -1", "-1"},
      {int_type(8, false), int_bytes(1ULL << 63), " -9223372036854775808", "-9223372036854775808"},
      {int_type(4, false), int_bytes(0x7fffffff, 4), " 2147483647", "2147483647"},
      {int_type(4), int_bytes(0xffffffff, 4), "       -1", "-1"},
      {int_type(4, false), int_bytes(0xffffffff, 4), "       -1", "-1"},
      {int_type(2), int_bytes(0xfffe, 2), "    -2", "-2"},
      {int_type(2, false), int_bytes(0xfffe, 2), " 65534", "65534"},
      {int_type(1), int_bytes(0x80, 1), " -128", "-128"},
      {int_type(1, false), int_bytes(7, 1), "   7", "7"},
      {type(FieldKind::kString, 16), "bash", "  " + text_33, "bash"},
      {type(FieldKind::kString, 16), "", "  " + blanks(33), ""},
      {type(FieldKind::kBytes, 8), "bash", "  " + text_33, "bash"},
      {type(FieldKind::kBytes, 4), "bash", "  " + text_33, "  " + text_33},
      {type(FieldKind::kSym, 8), int_bytes(0x1010), padded("vmlinux`f"), padded("vmlinux`f")},
      {type(FieldKind::kSym, 8), int_bytes(0x10), padded("0x10"), padded("0x10")},
      {type(FieldKind::kMod, 8), int_bytes(0x2010), padded("mod"), padded("mod")},
      {type(FieldKind::kUaddr, 16), word_bytes({7, 0x1010}), padded("a.out`f+0x10"),
       padded("a.out`f+0x10")},
      {type(FieldKind::kUsym, 16), word_bytes({7, 0x1010}), padded("a.out`f"), padded("a.out`f")},
      {type(FieldKind::kUmod, 16), word_bytes({7, 0x1010}), padded("a.out"), padded("a.out")},
      {type(FieldKind::kProbeFunc, 4), int_bytes(132, 4), "  openat" + blanks(27), "openat"},
      {type(FieldKind::kProbeProv, 4), int_bytes(132, 4), "  syscall" + blanks(26), "syscall"},
      {type(FieldKind::kProbeMod, 4), int_bytes(132, 4), "  vmlinux" + blanks(26), "vmlinux"},
      {type(FieldKind::kProbeName, 4), int_bytes(133, 4), "  return" + blanks(27), "return"},
      {type(FieldKind::kProbeName, 4), int_bytes(99, 4), "  <unknown>" + blanks(24), "<unknown>"},
  };
  for (const auto& row : kTable) {
    for (const bool quiet : {true, false}) {
      Trial run;
      run.options.quiet = quiet;
      run.consume(run.clause(ActionKind::kTrace, {row.type}), {row.bytes});
      const std::string expected = quiet ? row.quiet
                                         : "CPU     ID                    FUNCTION:NAME\n"
                                           "  0      1                           :BEGIN " +
                                               row.normal + "\n";
      EXPECT_EQ(run.text(), expected) << record::kind_name(row.type.kind) << row.type.size;
    }
  }
}

TEST(Consumer, PrintsStacksIndentedOneFrameALine) {
  Trial run;
  const std::uint32_t kernel = run.clause(ActionKind::kStack, {type(FieldKind::kStack, 40)});
  const std::uint32_t user = run.clause(ActionKind::kUstack, {type(FieldKind::kUstack, 24)});
  run.consume(kernel, {word_bytes({0x1000, 0x1010, 0x2004, 0x3000, 0x10})});
  EXPECT_EQ(run.text(),
            "\n              vmlinux`f\n              vmlinux`f+0x10\n              mod`g+0x4\n"
            "              mod`0x3000\n              0x10\n");
  run.consume(kernel, {word_bytes({0x1010, 0})});
  EXPECT_EQ(run.text(), "\n              vmlinux`f+0x10\n");
  run.consume(user, {word_bytes({42, 0x1010, 0x10})});
  EXPECT_EQ(run.text(), "\n              a.out`f+0x10\n              0x10\n");
}

TEST(Consumer, TraceOfBytesDecidesBetweenStringAndDump) {
  Trial run;
  const std::uint32_t epid = run.clause(ActionKind::kTrace, {type(FieldKind::kBytes, 4)});
  const std::string header =
      "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n";
  run.consume(epid, {std::string("a\0b\0", 4)});
  EXPECT_EQ(run.text(), header + "         0: 61 00 62 00" + blanks(38) + "a.b.\n");
  Trial raw;
  raw.options.raw_bytes = true;
  raw.consume(raw.clause(ActionKind::kTrace, {type(FieldKind::kBytes, 4)}), {"abcd"});
  EXPECT_EQ(raw.text(), header + "         0: 61 62 63 64" + blanks(38) + "abcd\n");
  Trial raw_string;
  raw_string.options.raw_bytes = true;
  raw_string.consume(raw_string.clause(ActionKind::kTrace, {type(FieldKind::kString, 4)}), {"ab"});
  EXPECT_EQ(raw_string.text(), header + "         0: 61 62 00 00" + blanks(38) + "ab..\n");
}

TEST(Consumer, TracememHonoursADynamicSizeWithinBounds) {
  Trial run;
  const std::uint32_t epid =
      run.clause(ActionKind::kTracemem, {type(FieldKind::kBytes, 4), int_type(8)});
  const auto shown = [&](std::int64_t size) {
    run.consume(epid, {"abcd", int_bytes(static_cast<std::uint64_t>(size))});
    const std::string text = run.text();
    return text.substr(text.find("0: "));
  };
  EXPECT_EQ(shown(2), "0: 61 62" + blanks(44) + "ab\n");
  for (const std::int64_t size :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{4}, std::int64_t{5}, INT64_MAX}) {
    EXPECT_EQ(shown(size), "0: 61 62 63 64" + blanks(38) + "abcd\n") << size;
  }
}

TEST(Consumer, PrintfTakesFieldsInOrder) {
  Trial run;
  const std::uint32_t epid = run.clause(
      ActionKind::kPrintf,
      {int_type(4), type(FieldKind::kString, 16), type(FieldKind::kProbeFunc, 4), int_type(8)},
      "%d %s [%-8s] %x%%\n");
  run.consume(epid, {int_bytes(7, 4), "bash", int_bytes(140, 4), int_bytes(0xff)});
  EXPECT_EQ(run.text(), "7 bash [read    ] ff%\n");
}

TEST(Consumer, PrintfShowsEveryKindOfArgument) {
  const struct {
    const char* format;
    FieldType type;
    std::string bytes;
    const char* text;
  } kTable[] = {
      {"%s|", type(FieldKind::kString, 8), "abc", "abc|"},
      {"%.2s|", type(FieldKind::kString, 8), "abc", "ab|"},
      {"%6s|", type(FieldKind::kString, 8), "abc", "   abc|"},
      {"%S", type(FieldKind::kString, 8), "a\n\"b", "a\\n\\\"b"},
      {"%s", type(FieldKind::kBytes, 4), "abcd", "abcd"},
      {"%c", int_type(1), "x", "x"},
      {"%3c|", int_type(4), "x", "  x|"},
      {"%a", int_type(8), int_bytes(0x1010), "vmlinux`f+0x10"},
      {"%a", type(FieldKind::kSym, 8), int_bytes(0x1010), "vmlinux`f+0x10"},
      {"%s", type(FieldKind::kSym, 8), int_bytes(0x1010), "vmlinux`f"},
      {"%20a|", int_type(8), int_bytes(0x1000), "           vmlinux`f|"},
      {"%A", type(FieldKind::kUaddr, 16), word_bytes({1, 0x1010}), "a.out`f+0x10"},
      {"%A", int_type(8), int_bytes(0x1010), "0x1010"},
      {"%x", type(FieldKind::kUsym, 16), word_bytes({1, 0x1010}), "1010"},
      {"%k|", type(FieldKind::kStack, 16), word_bytes({0x1010, 0}), "\nvmlinux`f+0x10\n|"},
      {"%-4k|", type(FieldKind::kStack, 16), word_bytes({0x1010, 0}), "\n    vmlinux`f+0x10\n|"},
      {"%16k|", type(FieldKind::kStack, 16), word_bytes({0x1010, 0}), "\n  vmlinux`f+0x10\n|"},
      {"%.1f", int_type(8), int_bytes(0x3ff8000000000000), "1.5"},
      {"%d", type(FieldKind::kString, 8), "abc", "abc"},
      {"%s", int_type(4), int_bytes(5, 4), "5"},
  };
  for (const auto& row : kTable) {
    Trial run;
    run.consume(run.clause(ActionKind::kPrintf, {row.type}, row.format), {row.bytes});
    EXPECT_EQ(run.text(), row.text) << row.format;
  }
}

TEST(Consumer, PrintfTakesWidthAndPrecisionFromArguments) {
  Trial run;
  const std::uint32_t epid = run.clause(
      ActionKind::kPrintf, {int_type(4), int_type(4), type(FieldKind::kString, 16)}, "%*.*s|");
  run.consume(epid, {int_bytes(6, 4), int_bytes(3, 4), "abcdef"});
  EXPECT_EQ(run.text(), "   abc|");
  run.consume(epid, {int_bytes(static_cast<std::uint64_t>(-6), 4), int_bytes(3, 4), "abcdef"});
  EXPECT_EQ(run.text(), "abc   |");
}

TEST(Consumer, PrintfWithTooFewArgumentsPrintsWhatItHas) {
  Trial run;
  run.consume(run.clause(ActionKind::kPrintf, {int_type(4)}, "a %d b %d c"), {int_bytes(1, 4)});
  EXPECT_EQ(run.text(), "a 1 b  c");
}

TEST(Consumer, EscapesWhatTheTracedSystemControlsOnATerminal) {
  Trial run;
  run.options.to_terminal = true;
  const std::uint32_t epid =
      run.clause(ActionKind::kPrintf, {type(FieldKind::kString, 16), int_type(1)}, "\x1b[1m%s%c\n");
  run.consume(epid, {"\x1b[2J\xff", "\x1b"});
  EXPECT_EQ(run.text(), "\x1b[1m\\033[2J\\377\\033\n") << "the script's own text stays";
  Trial file;
  file.consume(file.clause(ActionKind::kPrintf, {type(FieldKind::kString, 16)}, "%s\n"),
               {"\x1b[2J"});
  EXPECT_EQ(file.text(), "\x1b[2J\n");
}

TEST(Consumer, ExitGivesItsStatus) {
  Trial run;
  const std::uint32_t epid = run.clause(ActionKind::kExit, {int_type(4)});
  const Outcome outcome = run.consume(epid, {int_bytes(static_cast<std::uint64_t>(-3), 4)});
  ASSERT_TRUE(outcome.exit_status.has_value());
  EXPECT_EQ(*outcome.exit_status, -3);
  EXPECT_EQ(run.text(), "");
}

TEST(Consumer, ActionsOfAClauseFollowEachOtherInOneRow) {
  Trial run;
  run.options.quiet = false;
  record::Layout layout;
  layout.fields = {{int_type(4), 0}, {type(FieldKind::kString, 8), 0}};
  Action number;
  number.kind = ActionKind::kTrace;
  number.field_count = 1;
  Action text = number;
  text.first_field = 1;
  layout.actions = {number, text};
  record::place_fields(layout);
  run.consume(run.bind(layout), {int_bytes(1, 4), "x"});
  EXPECT_EQ(run.text(),
            "CPU     ID                    FUNCTION:NAME\n"
            "  0      1                           :BEGIN         1  x" +
                blanks(32) + "\n");
}

std::vector<std::uint8_t> fault_bytes(std::uint32_t epid, std::uint32_t site, record::Fault fault,
                                      std::uint64_t address) {
  const record::FaultRecord record{{epid, 0, record::tag_of(record::Kind::kFault)},
                                   site,
                                   static_cast<std::uint32_t>(fault),
                                   address};
  std::vector<std::uint8_t> bytes(sizeof record);
  std::memcpy(bytes.data(), &record, sizeof record);
  return bytes;
}

TEST(Consumer, FaultsNameProbeActionAndPlace) {
  Trial run;
  run.sources.add(Source("script.d", "line one\nline two {\n\ttrace(*p);\n}\n"));
  Source typed("BEGIN { trace(1/x) }", "BEGIN { trace(1/x) }");
  typed.from_command_line = true;
  run.sources.add(std::move(typed));
  run.schema.fault_sites = {{Span{0, 27, 29}, 2, 24}, {Span{1, 14, 17}, 0, 3}};
  const std::uint32_t epid = run.clause(ActionKind::kDefault, {}, {}, {}, 132);
  run.consumer().consume(fault_bytes(epid, 0, record::Fault::kBadAddress, 0x10));
  run.consumer().consume(fault_bytes(epid, 1, record::Fault::kDivideByZero, 0x10));
  run.consumer().consume(fault_bytes(epid, 7, record::Fault::kBadStack, 0x20));
  EXPECT_EQ(run.errors, (std::vector<std::string>{
                            "error on enabled probe ID 1 (ID 132: syscall:vmlinux:openat:entry): "
                            "invalid address (0x10) in action #2 at script.d:3:8",
                            "error on enabled probe ID 1 (ID 132: syscall:vmlinux:openat:entry): "
                            "divide-by-zero in predicate at 1:15",
                            "error on enabled probe ID 1 (ID 132: syscall:vmlinux:openat:entry): "
                            "bad stack (0x20)",
                        }));
  EXPECT_EQ(run.text(), "");
}

TEST(Consumer, EveryTruncationOfARecordIsReportedAndSkipped) {
  Trial run;
  run.options.quiet = false;
  const std::uint32_t epid = run.clause(
      ActionKind::kPrintf, {type(FieldKind::kString, 16), int_type(8), type(FieldKind::kStack, 24)},
      "%s %d %k");
  const std::vector<std::uint8_t> whole =
      run.bytes(epid, {"bash", int_bytes(1), word_bytes({0x1000, 0})});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // A copy of exactly this size, so that a sanitizer sees a read beyond it.
    const std::vector<std::uint8_t> part(whole.begin(),
                                         whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(run.consumer().consume(part).exit_status);
    EXPECT_NE(run.consumer().describe(part).find("malformed: "), std::string::npos);
  }
  EXPECT_EQ(run.errors.size(), whole.size());
  EXPECT_EQ(run.errors.front(), "malformed record: 0 bytes are too few for its header");
  EXPECT_EQ(run.errors.back(), fmt::format("malformed record: {} bytes where enabled probe ID 1 "
                                           "records {}",
                                           whole.size() - 1, whole.size()));
  EXPECT_EQ(run.text(), "");
  run.consumer().consume(whole);
  EXPECT_EQ(run.errors.size(), whole.size());
}

TEST(Consumer, RecordsOfUnknownProbesAndKindsAreReported) {
  Trial run;
  const std::uint32_t epid = run.clause(ActionKind::kDefault, {});
  std::vector<std::uint8_t> bytes = run.bytes(epid);
  bytes[0] = 9;
  run.consumer().consume(bytes);
  bytes[0] = 0;
  run.consumer().consume(bytes);
  bytes[0] = 1;
  bytes[6] = 3;
  run.consumer().consume(bytes);
  run.consumer().consume(fault_bytes(200, 0, record::Fault::kBadAddress, 0));
  EXPECT_EQ(run.errors,
            (std::vector<std::string>{"malformed record: no enabled probe has ID 9",
                                      "malformed record: no enabled probe has ID 0",
                                      "malformed record: unknown kind 3",
                                      "malformed record: no enabled probe has ID 200"}));
}

TEST(Consumer, ALayoutThatDoesNotFitIsNotRead) {
  Trial run;
  record::Layout layout;
  layout.fields = {{int_type(8), 4000}};
  layout.size_bytes = 16;
  Action action;
  action.kind = ActionKind::kTrace;
  action.field_count = 1;
  layout.actions = {action};
  run.consume(run.bind(layout));
  EXPECT_EQ(run.errors,
            std::vector<std::string>{"malformed record: enabled probe ID 1 has no layout"});
}

// What makes millions of rows a second possible.
TEST(Consumer, FormatsRowsWithoutAllocating) {
  Trial run;
  run.options.quiet = false;
  const std::uint32_t epid = run.clause(ActionKind::kTrace, {int_type(4)}, {}, {}, 132);
  const std::vector<std::uint8_t> bytes = run.bytes(epid, {int_bytes(12345, 4)});
  const Fd fd(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  FileOutput output(fd.get(), "/dev/null");
  Consumer consumer({run.schema, run.sources, run.resolver, run.source, output, [](auto) {}},
                    run.options);
  const auto consume = [&](int rows) {
    const std::size_t before = allocations;
    for (int i = 0; i < rows; ++i) {
      consumer.consume(bytes);
    }
    return allocations - before;
  };
  consume(10'000);  // until its buffers have the sizes that they need
  EXPECT_EQ(consume(100'000), 0U);
}

TEST(Consumer, DescribesRecordsUnresolved) {
  Trial run;
  const std::uint32_t epid = run.clause(
      ActionKind::kPrintf, {int_type(4), type(FieldKind::kString, 16), type(FieldKind::kUsym, 16)},
      "%d\t%s %A", {}, 132);
  EXPECT_EQ(run.consumer().describe(
                run.bytes(epid, {int_bytes(0xffffffff, 4), "bash", word_bytes({7, 0x1000})}, 3)),
            "clause epid=1 cpu=3 syscall:vmlinux:openat:entry\n"
            "  printf \"%d\\t%s %A\" int32 -1 string16 \"bash\" usym 0x7 0x1000\n");
  EXPECT_EQ(run.consumer().describe(fault_bytes(epid, 3, record::Fault::kBadAddress, 0x10)),
            "fault epid=1 cpu=0 syscall:vmlinux:openat:entry site=3 invalid address "
            "address=0x10\n");
}

}  // namespace
}  // namespace dt::consumer::testing
