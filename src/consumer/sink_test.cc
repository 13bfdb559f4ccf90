// No form of output lets a terminal obey what was traced: every byte and every control of
// direction, in each place where text of the traced system is shown.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "testing/consumer/trial.h"

namespace dt::consumer::testing {
namespace {

constexpr std::uint32_t kTextBytes = 512;

// All bytes but NUL, and the controls of C1 and of direction as UTF-8.
std::string hostile() {
  std::string text;
  for (int byte = 1; byte < 256; ++byte) text += static_cast<char>(byte);
  for (int code = 0x80; code < 0xa0; ++code) text += {'\xc2', static_cast<char>(code)};
  return text +
         "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
}

void expect_harmless(const std::string& out, const char* what) {
  ASSERT_FALSE(out.empty()) << what;
  for (std::size_t i = 0; i < out.size();) {
    const auto c = static_cast<unsigned char>(out[i]);
    if (c < 0x80) {
      EXPECT_TRUE((c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t') << what << ", byte " << int{c};
      ++i;
      continue;
    }
    std::uint32_t code = 0;
    const std::size_t length = utf8_length(std::string_view(out).substr(i), &code);
    ASSERT_NE(length, 0U) << what << ", byte " << int{c} << " at " << i;
    EXPECT_FALSE(is_control(code)) << what << ", character " << code;
    i += length;
  }
}

// Symbols, modules and files with such names.
class HostileResolver final : public symbol::Resolver {
 public:
  bool kernel(KernelAddr, symbol::Symbol& out) override {
    out = {hostile(), hostile(), 1};
    return true;
  }
  bool user(std::int32_t, UserAddr, symbol::Symbol& out) override {
    out = {hostile(), hostile(), 1};
    return true;
  }
  void note_process(std::int32_t) override {}
};

struct HostileTrial : Trial {
  HostileTrial() {
    options.to_terminal = true;
    const std::string name = hostile();
    schema.probes = {{ProbeId(1), name, name, name, name}};
  }
  std::string shown(std::uint32_t epid, const std::vector<std::string>& values) {
    HostileResolver names;
    StringOutput out;
    Consumer consumer({schema, sources, names, source, out,
                       [this](std::string_view text) { errors.emplace_back(text); }},
                      options);
    consumer.consume(bytes(epid, values));
    consumer.print_aggregations();
    return out.text();
  }
};

// An action on one field.
struct Row {
  const char* what;
  ActionKind kind;
  FieldType field;
  const char* format;
};

// Those that show an address by a name.
const Row kNamed[] = {
    {"sym", ActionKind::kSym, type(FieldKind::kSym, 8), ""},
    {"mod", ActionKind::kSym, type(FieldKind::kMod, 8), ""},
    {"usym", ActionKind::kSym, type(FieldKind::kUsym, 16), ""},
    {"umod", ActionKind::kSym, type(FieldKind::kUmod, 16), ""},
    {"uaddr", ActionKind::kSym, type(FieldKind::kUaddr, 16), ""},
};

TEST(Sink, EveryActionShowsTracedTextHarmlessly) {
  const FieldType text = type(FieldKind::kString, kTextBytes), raw = type(FieldKind::kBytes, 288);
  std::vector<Row> rows = {
      {"trace of a string", ActionKind::kTrace, text, ""},
      {"trace of bytes", ActionKind::kTrace, raw, ""},
      {"printf %s", ActionKind::kPrintf, text, "%s"},
      {"printf %10.400s", ActionKind::kPrintf, text, "%10.400s"},
      {"printf %S", ActionKind::kPrintf, text, "%S"},
      {"printf %s of bytes", ActionKind::kPrintf, raw, "%s"},
      {"printrow", ActionKind::kPrintrow, text, "A"},
      {"printrow %s", ActionKind::kPrintrow, text, "A %-10s"},
      {"printrow %S", ActionKind::kPrintrow, text, "A %S"},
      {"printrow %c", ActionKind::kPrintrow, int_type(4), "A %c"},
      {"printrow %I", ActionKind::kPrintrow, text, "A %I"},
      {"printrow of a probe's function", ActionKind::kPrintrow, type(FieldKind::kProbeFunc, 4),
       "A"},
      {"tracemem", ActionKind::kTracemem, raw, ""},
      {"printm", ActionKind::kPrintm, raw, ""},
      {"printf of a probe's function", ActionKind::kPrintf, type(FieldKind::kProbeFunc, 4), "%s"},
      {"stack", ActionKind::kStack, type(FieldKind::kStack, 16), ""},
      {"ustack", ActionKind::kUstack, type(FieldKind::kUstack, 32), ""},
  };
  rows.insert(rows.end(), std::begin(kNamed), std::end(kNamed));
  for (const Form form : {Form::kText, Form::kJson, Form::kJsonLines, Form::kCsv}) {
    for (const bool flow : {false, true}) {
      for (const Row& row : rows) {
        HostileTrial run;
        run.options.quiet = false;
        run.options.form = form;
        run.options.flow_indent = flow;
        const std::uint32_t epid = run.clause(row.kind, {row.field}, row.format);
        std::string value = hostile();
        if (row.field.kind == FieldKind::kProbeFunc) value = int_bytes(1, 4);
        if (row.field.size <= 32) value.resize(row.field.size, 'x');
        expect_harmless(run.shown(epid, {value}), row.what);
      }
    }
  }
}

TEST(Sink, KeysOfAggregationsAreHarmless) {
  for (const Form form : {Form::kText, Form::kJson, Form::kJsonLines, Form::kCsv}) {
    HostileTrial run;
    run.options.form = form;
    const std::uint32_t epid = run.clause(ActionKind::kTrace, {int_type(4)});
    const std::uint32_t agg =
        run.aggregation(AggFunc::kCount, {type(FieldKind::kString, kTextBytes)});
    std::string key = hostile();
    key.resize(kTextBytes);
    run.source.add(agg, key, {1});
    expect_harmless(run.shown(epid, {int_bytes(1, 4)}), "a key");
  }
}

// A file is read on a terminal later, and a newline in a name forges a line: names are escaped
// wherever the text goes, and wholly.
TEST(Sink, NamesAreHarmlessInFilesToo) {
  const FieldType number = int_type(8);
  std::vector<Row> rows = {
      {"%s of a module", ActionKind::kPrintf, type(FieldKind::kProbeMod, 4), "%s"},
      {"%s of a function", ActionKind::kPrintf, type(FieldKind::kProbeFunc, 4), "%-30s|"},
      {"%s of a name", ActionKind::kPrintf, type(FieldKind::kProbeName, 4), "%s"},
      {"%s of a provider", ActionKind::kPrintf, type(FieldKind::kProbeProv, 4), "%s"},
      {"%a", ActionKind::kPrintf, number, "%a"},
      {"%a of a symbol", ActionKind::kPrintf, type(FieldKind::kSym, 8), "%a"},
      {"%A", ActionKind::kPrintf, type(FieldKind::kUaddr, 16), "%A"},
      {"trace of a function", ActionKind::kTrace, type(FieldKind::kProbeFunc, 4), ""},
  };
  rows.insert(rows.end(), std::begin(kNamed), std::end(kNamed));
  for (const bool is_terminal : {false, true}) {
    for (const bool flow : {false, true}) {
      for (const Row& row : rows) {
        HostileTrial run;
        run.options.to_terminal = is_terminal;
        run.options.quiet = false;
        run.options.flow_indent = flow;
        const std::uint32_t epid = run.clause(row.kind, {row.field}, row.format);
        const std::string out = run.shown(epid, {int_bytes(1, row.field.size)});
        expect_harmless(out, row.what);
        // The header, one row, and the line at the end.
        EXPECT_LE(std::count(out.begin(), out.end(), '\n'), 3) << row.what;
        EXPECT_EQ(out.find('\t'), std::string::npos) << row.what;
      }
    }
  }
  for (const FieldKind kind : {FieldKind::kStack, FieldKind::kUstack}) {
    HostileTrial run;
    run.options.to_terminal = false;
    const std::uint32_t epid = run.clause(ActionKind::kStack, {type(kind, 32)});
    std::string frames(32, '\0');
    for (std::size_t i = 0; i < 3; ++i) frames[i * 8] = 1;
    expect_harmless(run.shown(epid, {frames}), "a stack");
  }
}

// In a file too, one row is one line.
TEST(Sink, ARowIsALine) {
  for (const char* column : {"A", "A %s", "A %.300s", "A %S"}) {
    HostileTrial run;
    run.options.to_terminal = false;
    const std::uint32_t epid =
        run.clause(ActionKind::kPrintrow, {type(FieldKind::kString, kTextBytes)}, column);
    const std::string out = run.shown(epid, {hostile()});
    expect_harmless(out, column);
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 3) << column;  // and at the end
  }
}

TEST(Sink, NamesForAShellAreExact) {
  HostileTrial run;
  run.options.to_terminal = false;
  run.options.exact_names = true;
  const std::uint32_t epid =
      run.clause(ActionKind::kPrintf, {type(FieldKind::kProbeFunc, 4)}, "%s");
  EXPECT_NE(run.shown(epid, {int_bytes(1, 4)}).find(hostile()), std::string::npos);
}

TEST(Sink, PrintShowsNamesOfTypesHarmlessly) {
  for (const Form form : {Form::kText, Form::kJson, Form::kJsonLines, Form::kCsv}) {
    HostileTrial run;
    run.options.to_terminal = false;
    run.options.form = form;
    record::Shape number, structure;
    number.kind = record::ShapeKind::kEnum;
    number.size = 4;
    number.name = hostile();
    number.enumerators = {{hostile(), 7}};
    structure.kind = record::ShapeKind::kStruct;
    structure.size = 4;
    structure.name = hostile();
    structure.members = {{hostile(), 0, 0, 0}};
    record::Layout layout;
    layout.fields.push_back({type(FieldKind::kBytes, 4), 0});
    layout.shapes = {number, structure};
    Action action;
    action.kind = ActionKind::kPrint;
    action.field_count = 1;
    action.shape = 1;
    layout.actions.push_back(action);
    record::place_fields(layout);
    const std::uint32_t epid = run.bind(std::move(layout));
    const std::string out = run.shown(epid, {int_bytes(7, 4)});
    expect_harmless(out, "print()");
    if (form != Form::kText) continue;
    // The header; a line for the structure, its member and its end.
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 4) << out;
    EXPECT_EQ(out.find('\t'), std::string::npos);
  }
}

}  // namespace
}  // namespace dt::consumer::testing
