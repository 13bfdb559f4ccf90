#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "consumer/output/output.h"
#include "recording/names.h"
#include "recording/packed.h"
#include "recording/program.h"
#include "recording/reader.h"
#include "recording/reads.h"
#include "recording/writer.h"

namespace dt::recording {
namespace {

using support::Tagged;

Program everything() {
  Program program;
  program.head.host = "host";
  program.head.cpus = 3;
  program.head.start_ns = 1'700'000'000'000'000'000;
  program.head.title = "BEGIN";
  program.options = {{"quiet", "1"}};
  record::Schema& schema = program.schema;
  schema.speculations = 2;
  record::Layout layout;
  layout.fields = {{{record::FieldKind::kInt, 4, true}, 0, {0, 1, 3}},
                   {{record::FieldKind::kUstack, 40, false}, 0, {}},
                   {{record::FieldKind::kInt, 8, true}, 0, {}}};
  record::Action action;
  action.kind = record::ActionKind::kPrintrow;
  action.format = "PID\nCOMM %-16s";
  action.field_count = 2;
  action.aggregations = {0};
  action.has_trunc_count = true;
  action.shape = 1;
  layout.actions = {action};
  layout.shapes.resize(2);
  layout.shapes[0] = {record::ShapeKind::kEnum, true, 4, "enum e", {}, {{"low", -5}}, 0, 0};
  layout.shapes[1] = {record::ShapeKind::kStruct, false, 8, "struct s", {{"m", 0, 3, 2}}, {}, 0, 0};
  layout.has_time = true;
  layout.urgent = true;
  record::place_fields(layout);
  schema.layouts = {layout};
  record::AggLayout aggregation;
  aggregation.name = "a";
  aggregation.func = record::AggFunc::kLquantize;
  aggregation.params = {-7, 12, 3, 0, 0, 0, 0};
  aggregation.keys = {{{record::FieldKind::kString, 9, false}, 0, {0, 0, 1}}};
  aggregation.drained = true;
  record::place_keys(aggregation);
  aggregation.value_words = record::value_words(aggregation.func, aggregation.params);
  schema.aggregations = {aggregation};
  schema.epids = {{ProbeId(77), 0, true}};
  schema.probes = {{ProbeId(77), "syscall", "vmlinux", "read", "entry"}};
  schema.stems = {"pid"};
  schema.fault_sites = {{{0, 2, 4}, 1, 9, 3}, {{}, 0, 0, record::kNoArgument}};
  return program;
}

Sources texts() {
  Sources sources;
  Source source("x.d", "BEGIN { }\n");
  source.is_preprocessed = true;
  source.add_marker(0, 40, "included.h");
  sources.add(std::move(source));
  return sources;
}

// Gives `bytes` in pieces, as pipes do.
ChunkReader::ReadSome from(const std::string& bytes, std::size_t piece = 7) {
  auto at = std::make_shared<std::size_t>(0);
  return [&bytes, at, piece](std::span<char> into) -> Result<std::size_t> {
    const std::size_t count = std::min({into.size(), piece, bytes.size() - *at});
    std::memcpy(into.data(), bytes.data() + *at, count);
    *at += count;
    return count;
  };
}

std::string recorded(const Program& program, const std::function<void(Writer&)>& more) {
  consumer::StringOutput output;
  Writer writer(output);
  put_program(program, texts(),
              [&](Entry entry, std::string_view payload) { writer.put(entry, payload); });
  writer.flush();
  more(writer);
  return output.text();
}

TEST(Recording, a_program_comes_back_whole) {
  const Program program = everything();
  const std::string bytes = recorded(program, [](Writer& writer) { writer.finish(); });
  Reader reader(from(bytes));
  Program got;
  Sources sources;
  const Status status = reader.begin(got, sources);
  ASSERT_TRUE(status.ok()) << status.error().text;
  EXPECT_EQ(got.head.host, "host");
  EXPECT_EQ(got.head.start_ns, program.head.start_ns);
  EXPECT_EQ(got.options, program.options);
  EXPECT_EQ(sources.at(0).text(), "BEGIN { }\n");
  EXPECT_EQ(sources.at(0).locate(10).file, "included.h");
  EXPECT_EQ(sources.at(0).locate(10).line, 40U);
  // What has been read is written as the same bytes: nothing is lost.
  const auto entries = [](const Program& of, const Sources& with) {
    std::string all;
    put_program(of, with, [&](Entry entry, std::string_view payload) {
      all += std::to_string(static_cast<std::uint32_t>(entry));
      all += payload;
    });
    return all;
  };
  EXPECT_EQ(entries(got, sources), entries(program, texts()));
  EXPECT_EQ(got.schema.layouts[0].actions[0].columns.size(), 2U);
  EXPECT_EQ(got.schema.layouts[0].shapes[0].enumerators[0].value, -5);
  EXPECT_EQ(got.schema.aggregations[0].params.base, -7);
  EXPECT_EQ(got.schema.fault_sites[1].argument, record::kNoArgument);
}

// Entries that come back of a file, and how it ends.
struct Got {
  std::vector<std::string> records;
  std::string end;  // "end", "cut", or an error
};

Got read_all(const std::string& bytes) {
  Got got;
  Reader reader(from(bytes, 4096));
  Program program;
  Sources sources;
  if (const Status status = reader.begin(program, sources); !status.ok()) {
    return {{}, status.error().text};
  }
  Tagged entry;
  while (true) {
    const auto outcome = reader.next(entry);
    if (!outcome.ok()) return {got.records, outcome.error().text};
    if (*outcome == Reader::Outcome::kEnd) return {got.records, "end"};
    if (*outcome == Reader::Outcome::kCut) return {got.records, "cut"};
    got.records.emplace_back(entry.text);
  }
}

std::string of_three_records() {
  return recorded(everything(), [](Writer& writer) {
    for (const char* text : {"one", "two", "three"}) {
      writer.put(Entry::kRecord, text);
      writer.flush();
    }
    writer.finish();
  });
}

// A record of everything(): an int, a stack of a program, a time.
std::string record_of(std::uint16_t cpu, std::int32_t number, std::uint64_t frame,
                      std::uint64_t time_ns) {
  const record::Layout layout = everything().schema.layouts[0];
  std::string bytes(layout.size_bytes, '\0');
  const record::Header header{1, cpu, 0};
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + layout.fields[0].offset, &number, sizeof number);
  for (std::size_t at = 0; at < layout.fields[1].type.size; at += sizeof frame) {
    std::memcpy(bytes.data() + layout.fields[1].offset + at, &frame, sizeof frame);
  }
  std::memcpy(bytes.data() + layout.fields[2].offset, &time_ns, sizeof time_ns);
  return bytes;
}

struct Fired {
  std::uint64_t firing = 0;
  std::string bytes;
  bool operator==(const Fired&) const = default;
};

std::vector<Fired> fired_records() {
  std::vector<Fired> out;
  std::uint64_t time_ns = 1'700'000'000'000'000'000;
  for (int i = 0; i < 20'000; ++i) {
    const bool is_odd = i % 7 == 3;
    time_ns += is_odd ? std::uint64_t{1} << 40 : 1000 + static_cast<unsigned>(i) % 100;
    if (i % 1000 == 999) time_ns -= 5'000'000;  // of another CPU
    out.push_back({i % 3 == 0 ? 0U : 2U * static_cast<unsigned>(i) + 1,
                   record_of(static_cast<std::uint16_t>(i % 2), is_odd ? INT32_MIN : i,
                             0x7f0000000000 + static_cast<unsigned>(i) % 5 * 4096, time_ns)});
    if (i % 500 == 0) out.push_back({0, out.back().bytes.substr(0, 24)});  // as faults are
    if (i % 700 == 0) out.push_back({0, "odd"});
    if (i % 900 == 0) out.push_back({3, std::string(4096, 'x')});
  }
  return out;
}

std::string packed(const std::vector<Fired>& records) {
  consumer::StringOutput output;
  Writer writer(output, everything().schema);
  put_program(everything(), texts(),
              [&](Entry entry, std::string_view payload) { writer.put(entry, payload); });
  for (const Fired& record : records) writer.put_record(record.firing, record.bytes);
  writer.finish();
  return output.text();
}

TEST(Recording, records_that_are_written_as_differences_come_back_as_they_were) {
  const std::vector<Fired> records = fired_records();
  const std::string bytes = packed(records);
  Reader reader(from(bytes, 4096));
  Program program;
  Sources sources;
  ASSERT_TRUE(reader.begin(program, sources).ok());
  std::vector<Fired> got;
  Tagged entry;
  while (true) {
    const auto outcome = reader.next(entry);
    ASSERT_TRUE(outcome.ok()) << outcome.error().text;
    if (*outcome != Reader::Outcome::kEntry) break;
    ASSERT_EQ(entry.tag, static_cast<std::uint32_t>(Entry::kRecord));
    got.push_back({entry.number, std::string(entry.text)});
  }
  EXPECT_EQ(got, records);
}

// What a packer has written of these records of one EPID; the last ones wait.
std::string packed_entry(RecordPacker& packer, const std::vector<Fired>& records) {
  std::string out;
  for (const Fired& record : records) packer.append(out, record.firing, record.bytes);
  packer.flush(out);
  return out;
}

TEST(Recording, a_record_is_written_with_as_many_bytes_as_have_changed) {
  constexpr std::uint64_t kFrame = 0x7f0000000000, kTime = 1'700'000'000'000'000'000;
  RecordPacker packer(everything().schema);
  packed_entry(packer, {{5, record_of(1, 10, kFrame, kTime)}});
  EXPECT_EQ(packer.waiting(), 0U);
  // Tag (2 bytes) and length, 0, the shape: EPID, firing, words that have changed (2), are raw, and
  // same; two differences of 1 and 2.
  EXPECT_EQ(packed_entry(packer, {{7, record_of(1, 11, kFrame, kTime + 100)}}).size(), 13U);
  // The number of this shape, and the differences.
  EXPECT_EQ(packed_entry(packer, {{9, record_of(1, 12, kFrame, kTime + 200)}}).size(), 3U + 4);
  // The time has grown by as much as the number: another shape, and then its number and a byte.
  EXPECT_EQ(packed_entry(packer, {{11, record_of(1, 13, kFrame, kTime + 201)}}).size(), 12U);
  EXPECT_EQ(packed_entry(packer, {{13, record_of(1, 20, kFrame, kTime + 208)}}).size(), 3U + 2);
  EXPECT_EQ(packed_entry(packer, {{15, record_of(1, 21, kFrame, kTime + 300)}}).size(), 3U + 4);
  const std::string frames = packed_entry(packer, {{17, record_of(1, 21, kFrame + 4096, kTime)}});
  EXPECT_NE(frames.find(std::string("\0\x10\0\0\0\x7f\0\0", 8)), frames.npos) << "they are whole";
  packer.begin_chunk();
  const std::string record = record_of(1, 11, kFrame, kTime + 400);
  EXPECT_NE(packed_entry(packer, {{19, record}}).find(record), record.npos) << "the first is whole";
}

// With sums that agree, any bytes can be the entry of records.
TEST(Recording, a_damaged_difference_is_damage_and_reads_no_other_memory) {
  const std::string first = record_of(1, 10, 0x7f0000000000, 1'700'000'000'000'000'000);
  RecordPacker packer(everything().schema);
  packed_entry(packer, {{0, first}});
  const std::string payload =
      packed_entry(packer, {{5, record_of(1, 11, 0x7f0000001000, 1)}}).substr(3);
  RecordUnpacker::Record record;
  std::string_view rest = payload;
  EXPECT_FALSE(RecordUnpacker().take_next(rest, record)) << "nothing is before it";
  std::size_t refused = 0;
  for (std::size_t at = 0; at < payload.size(); ++at) {
    RecordUnpacker cut;
    cut.keep(first);
    rest = std::string_view(payload).substr(0, at);
    EXPECT_FALSE(cut.take_next(rest, record)) << at;
    for (int bit = 0; bit < 8; ++bit) {
      RecordUnpacker unpacker;
      unpacker.keep(first);
      std::string bytes = payload;
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << bit);
      rest = bytes;
      const bool is_sound = unpacker.take_next(rest, record);
      if (!is_sound) ++refused;
      EXPECT_FALSE(is_sound && at <= 1) << "no such shape, or EPID, is known";
    }
  }
  EXPECT_GE(refused, 24U);
  // A shape of a record that has become longer.
  RecordUnpacker unpacker;
  unpacker.keep(first);
  rest = payload;
  ASSERT_TRUE(unpacker.take_next(rest, record));
  EXPECT_TRUE(rest.empty());
  unpacker.keep(first + std::string(8, 'x'));
  rest = std::string_view("\1\2\2\2", 4);
  EXPECT_FALSE(unpacker.take_next(rest, record));
}

TEST(Recording, every_prefix_has_the_records_of_its_whole_chunks) {
  const std::string bytes = of_three_records();
  const Got whole = read_all(bytes);
  EXPECT_EQ(whole.end, "end");
  ASSERT_EQ(whole.records, (std::vector<std::string>{"one", "two", "three"}));
  std::size_t most = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Got part = read_all(bytes.substr(0, size));
    EXPECT_NE(part.end, "end") << size;
    EXPECT_GE(part.records.size(), most) << size;
    most = part.records.size();
    EXPECT_TRUE(std::equal(part.records.begin(), part.records.end(), whole.records.begin()));
  }
  EXPECT_EQ(most, 3U);
}

// A frame of zstd has a bit that readers ignore: changing it changes nothing.
// A file of which parts can be taken out.
struct Kept final : consumer::Output {
  std::string text;
  void write(std::string_view more) override { text += more; }
  void flush() override {}
};

TEST(Recording, of_the_latest_bytes_segments_are_kept_and_read) {
  std::uint64_t kept_by_shorter_file = 0;
  for (const bool leaves_holes : {false, true}) {
    Kept file;
    Writer writer(file);
    constexpr std::uint64_t kMost = 1 << 20;
    const Put put = [&](Entry entry, std::string_view payload) { writer.put(entry, payload); };
    put_program(everything(), texts(), put);
    writer.flush();
    std::uint64_t removed = 0;
    writer.keep_at_most(kMost, [&](std::uint64_t begin, std::uint64_t end) -> std::uint64_t {
      EXPECT_EQ(begin % kSegmentAlign, 0U);
      EXPECT_EQ(end % kSegmentAlign, 0U);
      removed += end - begin;
      if (!leaves_holes) file.text.erase(begin, end - begin);
      if (leaves_holes)
        std::fill_n(file.text.begin() + static_cast<std::ptrdiff_t>(begin), end - begin, '\0');
      return leaves_holes ? 0 : end - begin;
    });
    const auto segment = [&] {
      writer.begin_segment();
      writer.put(Entry::kSegment, "");
      writer.put(Entry::kSegmentRead, "");
      writer.segment_begun();
    };
    segment();
    std::uint32_t some = 1;
    constexpr int kRecords = 60'000;
    for (int i = 0; i < kRecords; ++i) {
      if (writer.wants_segment()) segment();
      std::string payload = std::to_string(i) + " ";
      for (int n = 0; n < 20; ++n) {  // which zstd does not make much smaller
        some = some * 1664525 + 1013904223;
        payload.append(reinterpret_cast<const char*>(&some), sizeof some);
      }
      writer.put(Entry::kRecord, payload);
    }
    writer.finish();
    EXPECT_GT(removed, 2 * kMost);
    const std::uint64_t kept = file.text.size() - (leaves_holes ? removed : 0);
    EXPECT_LT(kept, kMost + (600 << 10));
    if (!leaves_holes) kept_by_shorter_file = kept;
    EXPECT_EQ(kept, kept_by_shorter_file) << "a hole takes no room, so as much is kept";
    Reader reader(from(file.text, 100'000));
    Program program;
    Sources sources;
    ASSERT_TRUE(reader.begin(program, sources).ok());
    Tagged entry;
    int first = -1;
    int next = -1;
    int jumps = 0;
    while (true) {
      const Result<Reader::Outcome> outcome = reader.next(entry);
      ASSERT_TRUE(outcome.ok()) << outcome.error().text;
      if (*outcome != Reader::Outcome::kEntry) {
        EXPECT_EQ(*outcome, Reader::Outcome::kEnd);
        break;
      }
      if (entry.tag == static_cast<std::uint32_t>(Entry::kSegment) && reader.has_jumped()) ++jumps;
      if (entry.tag != static_cast<std::uint32_t>(Entry::kRecord)) continue;
      const int number = std::stoi(std::string(entry.text));
      if (first < 0) first = next = number;
      ASSERT_EQ(number, next++);
    }
    EXPECT_EQ(jumps, 1);
    EXPECT_GT(first, 0);
    EXPECT_EQ(next, kRecords);
  }
}

TEST(Recording, a_changed_byte_is_damage_and_nothing_else_is_read_instead) {
  const std::string bytes = of_three_records();
  const std::vector<std::string> whole = {"one", "two", "three"};
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    const Got got = read_all(changed);
    EXPECT_TRUE(got.end != "end" || got.records == whole) << at;
    ASSERT_LE(got.records.size(), whole.size()) << at;
    EXPECT_TRUE(std::equal(got.records.begin(), got.records.end(), whole.begin())) << at;
  }
}

TEST(Recording, schemas_that_the_consumer_cannot_take_are_refused) {
  const auto flaw = [](const std::function<void(record::Schema&)>& change) {
    Program program = everything();
    change(program.schema);
    return find_schema_flaw(program.schema, texts());
  };
  EXPECT_EQ(flaw([](record::Schema&) {}), "");
  EXPECT_EQ(flaw([](record::Schema& s) { s.layouts[0].fields[0].type.size = 3; }), "layout 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.layouts[0].fields[1].offset = 1U << 30; }), "layout 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.layouts[0].fields[0].span = {0, 0, 99}; }), "layout 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.layouts[0].fields[0].span = {1, 0, 0}; }), "layout 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.layouts[0].actions[0].aggregations = {1}; }),
            "layout 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.layouts[0].actions[0].field_count = 9; }), "layout 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.layouts[0].shapes[1].members[0].shape = 1; }),
            "layout 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.aggregations[0].value_words = 1U << 20; }),
            "aggregation 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.aggregations[0].params.limit = INT64_MAX; }),
            "aggregation 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.aggregations[0].keys[0].type.size = 99; }),
            "aggregation 0");
  EXPECT_EQ(flaw([](record::Schema& s) { s.epids[0].layout = 1; }), "enabled probe 1");
  EXPECT_EQ(flaw([](record::Schema& s) { s.fault_sites[0].span.end = 99; }), "place 0");
}

using Elements = std::vector<std::tuple<std::string, std::uint32_t, std::vector<std::uint64_t>>>;

class FixedSource final : public record::AggregationSource {
 public:
  Elements elements;
  Status read(std::uint32_t, const Visit& visit) override {
    for (const auto& [key, cpu, words] : elements) {
      visit({reinterpret_cast<const std::uint8_t*>(key.data()), key.size()}, cpu, words);
    }
    return {};
  }
};

record::Schema of_one_aggregation(bool drained) {
  record::Schema schema;
  record::AggLayout layout;
  layout.func = record::AggFunc::kAvg;
  layout.keys = {{{record::FieldKind::kInt, 8, true}, 0, {}}};
  layout.drained = drained;
  record::place_keys(layout);
  layout.value_words = 3;
  schema.aggregations = {layout};
  return schema;
}

// What a source has, as a tape has it.
struct Taped {
  explicit Taped(bool drained)
      : schema(of_one_aggregation(drained)),
        source(
            inner, schema,
            [this](Entry entry, std::string_view payload) {
              EXPECT_EQ(entry, Entry::kRead);
              size = payload.size();
              EXPECT_TRUE(known.take(payload).ok());
            },
            [this](std::uint32_t, std::span<const std::uint8_t>) { ++new_keys; }),
        known(schema) {}
  void read(Elements elements) {
    inner.elements = std::move(elements);
    EXPECT_TRUE(source.read(0, [](auto, auto, auto) {}).ok());
  }
  Elements replayed() {
    Elements got;
    EXPECT_TRUE(known
                    .read(0,
                          [&](std::span<const std::uint8_t> key, std::uint32_t cpu,
                              std::span<const std::uint64_t> words) {
                            got.emplace_back(
                                std::string(key.begin(), key.end()), cpu,
                                std::vector<std::uint64_t>(words.begin(), words.end()));
                          })
                    .ok());
    std::sort(got.begin(), got.end());
    return got;
  }
  record::Schema schema;
  FixedSource inner;
  TapingSource source;
  KnownReads known;
  std::size_t size = 0;
  int new_keys = 0;
};

const std::string kA = "aaaaaaaa";
const std::string kB = "bbbbbbbb";

TEST(Reads, a_table_is_what_it_was_at_the_last_read) {
  Taped taped(false);
  taped.read({{kA, 0, {1, 10, 0, 2, 20, 0}}, {kB, 1, {1, UINT64_MAX, UINT64_MAX}}});
  const std::size_t first = taped.size;
  EXPECT_EQ(
      taped.replayed(),
      (Elements{{kA, 0, {1, 10, 0}}, {kA, 1, {2, 20, 0}}, {kB, 1, {1, UINT64_MAX, UINT64_MAX}}}));
  taped.read({{kB, 1, {2, 5, 0}}, {kA, 0, {1, 10, 0, 2, 20, 0}}});
  EXPECT_LT(taped.size, first);
  EXPECT_EQ(taped.replayed(),
            (Elements{{kA, 0, {1, 10, 0}}, {kA, 1, {2, 20, 0}}, {kB, 1, {2, 5, 0}}}));
  EXPECT_EQ(taped.replayed().size(), 3U);
  EXPECT_EQ(taped.new_keys, 2);
}

TEST(Reads, what_is_drained_is_given_once_and_none_of_it_is_lost) {
  Taped taped(true);
  taped.read({{kA, 0, {1, 10, 0}}});
  taped.read({{kA, 0, {1, 11, 0}}, {kB, 0, {0, 0, 0}}});
  EXPECT_EQ(taped.replayed(),
            (Elements{{kA, 0, {1, 10, 0}}, {kA, 0, {1, 11, 0}}, {kB, 0, {0, 0, 0}}}));
  EXPECT_EQ(taped.replayed(), Elements{});
}

TEST(Reads, bytes_that_are_no_reads_are_refused) {
  const record::Schema schema = of_one_aggregation(false);
  std::string payload;
  FixedSource inner;
  inner.elements = {{kA, 0, {1, 10, 0}}};
  TapingSource source(
      inner, schema, [&](Entry, std::string_view bytes) { payload = bytes; }, [](auto, auto) {});
  ASSERT_TRUE(source.read(0, [](auto, auto, auto) {}).ok());
  for (std::size_t size = 0; size < payload.size(); ++size) {
    KnownReads known(schema);
    // The groups are the last field: without them nothing is missing that a reader could see.
    const Status status = known.take(std::string_view(payload).substr(0, size));
    std::size_t elements = 0;
    EXPECT_TRUE(known.read(0, [&](auto, auto, auto) { ++elements; }).ok());
    EXPECT_EQ(elements, 0U) << size << (status.ok() ? "" : status.error().text);
  }
}

// A resolver whose answers are set by a test.
class SetResolver final : public symbol::Resolver {
 public:
  std::string name = "f";
  bool kernel(KernelAddr, symbol::Symbol&) override { return false; }
  bool user(std::int32_t, UserAddr, symbol::Symbol& out) override {
    out = {"m", name, 3, 0};
    return !name.empty();
  }
  void note_process(std::int32_t) override {}
};

TEST(RecordedNames, an_answer_is_written_when_it_changes_and_holds_from_there) {
  auto inner = std::make_unique<SetResolver>();
  SetResolver& answers = *inner;
  KnownNames known;
  int entries = 0;
  const auto taping = taping_resolver(std::move(inner), [&](Entry entry, std::string_view payload) {
    ++entries;
    EXPECT_TRUE(known.take(entry, payload));
  });
  symbol::Symbol symbol;
  const auto replayed = [&] {
    symbol::Symbol got;
    return known.user(7, UserAddr(0x1000), got) ? got.module + got.name : "none";
  };
  EXPECT_EQ(replayed(), "none");
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(taping->user(7, UserAddr(0x1000), symbol));
  EXPECT_EQ(entries, 1);
  EXPECT_EQ(replayed(), "mf");
  answers.name = "g";
  taping->user(7, UserAddr(0x1000), symbol);
  EXPECT_EQ(replayed(), "mg");
  answers.name = "";
  taping->user(7, UserAddr(0x1000), symbol);
  EXPECT_EQ(replayed(), "none");
  EXPECT_EQ(entries, 3);
}

// A process that has just begun is not known yet when its first stacks are read.
TEST(RecordedNames, what_had_no_name_is_asked_for_again) {
  auto inner = std::make_unique<SetResolver>();
  SetResolver& answers = *inner;
  answers.name = "";
  KnownNames known;
  int entries = 0;
  const auto taping = taping_resolver(std::move(inner), [&](Entry entry, std::string_view payload) {
    ++entries;
    EXPECT_TRUE(known.take(entry, payload));
  });
  symbol::Symbol symbol;
  EXPECT_FALSE(taping->user(7, UserAddr(0x1000), symbol));
  taping->ask_again();
  EXPECT_EQ(entries, 0);
  answers.name = "f";
  taping->ask_again();
  taping->ask_again();
  EXPECT_EQ(entries, 1);
  symbol::Symbol got;
  EXPECT_TRUE(known.user(7, UserAddr(0x1000), got));
  EXPECT_EQ(got.module + got.name, "mf");
}

}  // namespace
}  // namespace dt::recording
