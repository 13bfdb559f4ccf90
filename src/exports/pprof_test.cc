#include <gtest/gtest.h>
#include <zlib.h>

#include <map>

#include "exports/picture.h"
#include "support/tagged.h"

namespace dt::exports {
namespace {

using support::Tagged;
using support::TaggedReader;

std::string unzipped(std::string bytes) {
  z_stream stream{};
  EXPECT_EQ(::inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
  std::string out(1 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  ::inflateEnd(&stream);
  return out;
}

std::map<std::uint32_t, std::uint64_t> numbers_in(std::string_view bytes) {
  std::map<std::uint32_t, std::uint64_t> numbers;
  TaggedReader reader(bytes);
  Tagged field;
  while (reader.next(field)) numbers[field.tag] = field.number;
  return numbers;
}

// As "key=value inner<outer weight" of each sample, behind the description of the profile.
std::string read_profile(const std::string& bytes) {
  std::vector<std::string> texts;
  std::map<std::uint64_t, std::uint64_t> functions;  // name by id
  std::map<std::uint64_t, std::uint64_t> locations;  // function by id
  TaggedReader first(bytes);
  Tagged field;
  while (first.next(field)) {
    if (field.tag == 6) texts.emplace_back(field.text);
    if (field.tag == 5) functions[numbers_in(field.text)[1]] = numbers_in(field.text)[2];
    if (field.tag != 4) continue;
    TaggedReader location(field.text);
    Tagged within;
    std::uint64_t id = 0;
    while (location.next(within)) {
      if (within.tag == 1) id = within.number;
      if (within.tag == 4) locations[id] = numbers_in(within.text)[1];
    }
  }
  EXPECT_FALSE(first.is_damaged());
  EXPECT_EQ(texts.at(0), "");
  std::string out;
  TaggedReader second(bytes);
  while (second.next(field)) {
    if (field.tag == 1)
      out += texts.at(numbers_in(field.text)[1]) + "/" + texts.at(numbers_in(field.text)[2]) + "\n";
    if (field.tag == 13) out += "# " + texts.at(field.number) + "\n";
    if (field.tag != 2) continue;
    TaggedReader sample(field.text);
    Tagged within;
    std::string stack, labels, value;
    while (sample.next(within)) {
      std::uint64_t number = 0;
      std::string_view rest = within.text;
      if (within.tag == 3) {
        labels += texts.at(numbers_in(rest)[1]) + "=" + texts.at(numbers_in(rest)[2]) + " ";
      }
      while (within.tag < 3 && support::take_varint(rest, number)) {
        if (within.tag == 2) value += " " + std::to_string(number);
        if (within.tag == 1)
          stack += (stack.empty() ? "" : "<") + texts.at(functions.at(locations.at(number)));
      }
    }
    out += labels + stack + value + "\n";
  }
  return out;
}

TEST(Pprof, has_each_stack_with_its_weight_and_keys) {
  view::Flame flame;
  flame.name = "calls";
  const auto add = [&](const std::vector<view::Frame>& frames, std::int64_t weight) {
    std::vector<std::uint32_t> numbers;
    for (const view::Frame& frame : frames) numbers.push_back(flame.tree.number(frame));
    flame.tree.add(numbers, weight);
  };
  using view::Code;
  add({{"bash", Code::kKey}, {"m`main", Code::kUser}, {"m`read", Code::kUser}, {"7", Code::kKey}},
      3);
  add({{"bash", Code::kKey}, {"m`main", Code::kUser}, {"9", Code::kKey}}, INT64_MAX);
  add({{"sh", Code::kKey}, {"1", Code::kKey}}, 5);
  const Picture picture{{{&flame, {"execname", "tid"}}}, 4, "a title"};
  EXPECT_EQ(read_profile(unzipped(pprof(picture))),
            "calls/count\n"
            "execname=sh tid=1 [no frames] 5\n"
            "execname=bash tid=9 m`main 9223372036854775807\n"
            "execname=bash tid=7 m`read<m`main 3\n"
            "# a title\n"
            "# 4 dropped\n");
}

}  // namespace
}  // namespace dt::exports
