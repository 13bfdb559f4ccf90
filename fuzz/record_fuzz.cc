// Arbitrary bytes as records of a fixed schema, and as what aggregations hold:
// nothing may be read out of bounds, loop for ever or grow without bound.
//
// The input is a sequence of pieces, each a length byte and so many bytes; the
// first bit of the input turns the terminal's escapes on, the second quiet.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "symbol/resolve/resolver.h"

namespace {

using namespace dt;
using record::Action;
using record::ActionKind;
using record::AggFunc;
using record::Field;
using record::FieldKind;
using record::FieldType;
using Bytes = std::span<const std::uint8_t>;

const FieldType kTypes[] = {
    {FieldKind::kInt, 8, true},       {FieldKind::kInt, 4, false},
    {FieldKind::kInt, 2, true},       {FieldKind::kInt, 1, false},
    {FieldKind::kString, 16, true},   {FieldKind::kBytes, 9, true},
    {FieldKind::kStack, 32, true},    {FieldKind::kUstack, 40, true},
    {FieldKind::kSym, 8, true},       {FieldKind::kMod, 8, true},
    {FieldKind::kUaddr, 16, true},    {FieldKind::kUsym, 16, true},
    {FieldKind::kUmod, 16, true},     {FieldKind::kProbeProv, 4, true},
    {FieldKind::kProbeMod, 4, true},  {FieldKind::kProbeFunc, 4, true},
    {FieldKind::kProbeName, 4, true},
};

// Few names, so that keys meet.
class Resolver final : public symbol::Resolver {
 public:
  bool kernel(KernelAddr address, symbol::Symbol& out) override {
    out = {"m", address.value % 2 == 0 ? "f" : "", address.value % 16};
    return address.value % 3 != 0;
  }
  bool user(std::int32_t pid, UserAddr address, symbol::Symbol& out) override {
    return pid != 0 && kernel(KernelAddr(address.value), out);
  }
  void note_process(std::int32_t) override {}
};

class Elements final : public record::AggregationSource {
 public:
  explicit Elements(const record::Schema& schema) : schema_(schema) {}
  void set(Bytes bytes) { bytes_ = bytes; }
  Status read(std::uint32_t aggregation, const Visit& visit) override {
    const record::AggLayout& layout = schema_.aggregations[aggregation];
    std::vector<std::uint8_t> element(layout.key_bytes + 8 * 2 * layout.value_words);
    for (std::size_t at = 0; at < bytes_.size(); at += 8) {
      const std::size_t size = std::min(bytes_.size() - at, element.size());
      std::memcpy(element.data(), bytes_.data() + at, size);
      std::vector<std::uint64_t> words(2 * layout.value_words);
      std::memcpy(words.data(), element.data() + layout.key_bytes, 8 * words.size());
      visit(Bytes(element).first(layout.key_bytes), 0, words);
    }
    return {};
  }

 private:
  const record::Schema& schema_;
  Bytes bytes_;
};

std::uint32_t add_clause(record::Schema& schema, ActionKind kind, std::vector<FieldType> types,
                         std::string format = {}, std::vector<std::uint32_t> aggregations = {}) {
  record::Layout layout;
  for (const FieldType& type : types) {
    layout.fields.push_back(Field{type, 0});
  }
  Action action;
  action.kind = kind;
  action.field_count = static_cast<std::uint32_t>(types.size());
  action.format = std::move(format);
  action.aggregations = std::move(aggregations);
  action.has_trunc_count = !types.empty();
  layout.actions.push_back(std::move(action));
  record::place_fields(layout);
  schema.layouts.push_back(std::move(layout));
  schema.epids.push_back({ProbeId(1 + static_cast<std::uint32_t>(schema.epids.size() % 2)),
                          static_cast<std::uint32_t>(schema.layouts.size() - 1)});
  return static_cast<std::uint32_t>(schema.epids.size());
}

record::Schema make_schema() {
  record::Schema schema;
  schema.probes = {{ProbeId(1), "syscall", "vmlinux", "read", "entry"},
                   {ProbeId(2), "syscall", "vmlinux", "read", "return"}};
  schema.fault_sites.resize(2);
  std::vector<std::uint32_t> all;
  const FieldType int8{FieldKind::kInt, 8, true};
  std::size_t next_type = 0;
  for (const AggFunc func :
       {AggFunc::kCount, AggFunc::kSum, AggFunc::kAvg, AggFunc::kMin, AggFunc::kMax,
        AggFunc::kStddev, AggFunc::kQuantize, AggFunc::kLquantize, AggFunc::kLlquantize}) {
    record::AggLayout layout;
    layout.name = "a";
    layout.func = func;
    layout.params = {-2, 10, 3, 10, 0, 2, 10};
    for (int i = 0; i < 2; ++i) {
      layout.keys.push_back(Field{kTypes[next_type++ % std::size(kTypes)], 0});
    }
    record::place_keys(layout);
    layout.value_words = record::value_words(func, layout.params);
    layout.drained = func != AggFunc::kSum;
    all.push_back(static_cast<std::uint32_t>(schema.aggregations.size()));
    schema.aggregations.push_back(std::move(layout));
  }
  for (const std::uint32_t index : all) {
    const std::uint32_t other = (index + 1) % static_cast<std::uint32_t>(all.size());
    add_clause(schema, ActionKind::kPrinta, {}, "", {index});
    add_clause(schema, ActionKind::kPrinta, {}, "%-*d %s %@d %@x %@Y\n", {index, other});
    add_clause(schema, ActionKind::kClear, {}, "", {index});
    add_clause(schema, ActionKind::kTrunc, {int8}, "", {index});
    add_clause(schema, ActionKind::kNormalize, {int8}, "", {index});
  }
  for (const FieldType& type : kTypes) {
    add_clause(schema, ActionKind::kTrace, {type});
    for (const char* format : {"%d %s", "%S%%", "%-*.*d|", "%k%a", "%A %Y", "%x%T", "%.3f %c%C"}) {
      add_clause(schema, ActionKind::kPrintf, {type, type, int8}, format);
    }
  }
  add_clause(schema, ActionKind::kTracemem, {kTypes[5], int8});
  add_clause(schema, ActionKind::kExit, {{FieldKind::kInt, 4, true}});
  return schema;
}

// Counts, so that nothing is gathered.
class Output final : public consumer::Output {
 public:
  void write(std::string_view text) override { bytes_ += text.size(); }
  void flush() override {}

 private:
  std::size_t bytes_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const record::Schema schema = make_schema();
  if (size == 0) {
    return 0;
  }
  const std::uint8_t flags = data[0];
  Bytes rest(data + 1, size - 1);
  Sources sources;
  Resolver resolver;
  Elements source(schema);
  Output output;
  consumer::Options options;
  options.to_terminal = (flags & 1) != 0;
  options.quiet = (flags & 2) != 0;
  options.agg_sort_key = (flags & 4) != 0;
  consumer::Consumer consumer({schema, sources, resolver, source, output, [](auto) {}}, options);
  for (int records = 0; records < 32 && !rest.empty(); ++records) {
    const std::size_t length = std::min<std::size_t>(rest[0], rest.size() - 1);
    // On the heap at its exact size, so that one byte too far is seen.
    std::vector<std::uint8_t> piece(rest.begin() + 1,
                                    rest.begin() + 1 + static_cast<std::ptrdiff_t>(length));
    rest = rest.subspan(1 + length);
    source.set(rest.first(std::min<std::size_t>(rest.size(), 96)));
    consumer.describe(piece);
    consumer.consume(piece);
  }
  consumer.print_aggregations();
  return 0;
}
