// See damage.h. One file in six is cut or damaged as it is stored, which checksums must find. Of
// the others, chunks and entries are changed, so that everything behind the checksums is reached:
// what is within fields is changed field by field, as random bytes are seldom fields.

#include "damage.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "recording/chunk.h"
#include "support/check.h"
#include "support/tagged.h"

namespace dt::hostile {
namespace {

using recording::Entry;
using support::Tagged;
using support::TaggedReader;
using support::TaggedWriter;

constexpr int kDeepest = 4;  // fields within fields

struct Field {
  std::uint32_t tag = 0;
  bool is_text = false;
  std::uint64_t number = 0;
  std::string text;
};

// False where the bytes are no fields.
bool parse(std::string_view bytes, std::vector<Field>& out) {
  TaggedReader reader(bytes);
  Tagged field;
  while (reader.next(field)) {
    out.push_back({field.tag, field.is_text, field.number, std::string(field.text)});
  }
  return !reader.is_damaged();
}

std::string join(const std::vector<Field>& fields) {
  std::string out;
  TaggedWriter writer(out);
  for (const Field& field : fields) {
    if (field.is_text) {
      writer.text(field.tag, field.text);
    } else {
      writer.number(field.tag, field.number);
    }
  }
  return out;
}

void damage_bytes(std::string& bytes, Random& random) {
  if (bytes.empty()) {
    bytes.assign(random.below(64), static_cast<char>(random.word()));
    return;
  }
  const std::size_t at = random.below(bytes.size());
  switch (random.below(7)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << random.below(8));
      return;
    case 1:
      bytes[at] = static_cast<char>(random.number(0));
      return;
    case 2:
      bytes.erase(at, 1 + random.below(20));
      return;
    case 3:
      bytes.insert(at, bytes, random.below(bytes.size()), 1 + random.below(40));
      return;
    case 4:
      bytes.resize(at);
      return;
    default:  // a word of a record or of a key
      for (std::size_t i = at & ~std::size_t{3}, word = random.number(random.below(64)), n = 0;
           n < (random.one_in(2) ? 4 : 8) && i + n < bytes.size(); ++n) {
        bytes[i + n] = static_cast<char>(word >> 8 * n);
      }
  }
}

// A list of varints, as drops and groups of reads are.
void damage_varints(std::string& bytes, Random& random) {
  std::vector<std::uint64_t> numbers;
  std::string_view rest = bytes;
  std::uint64_t number = 0;
  while (support::take_varint(rest, number)) numbers.push_back(number);
  if (numbers.empty()) return damage_bytes(bytes, random);
  std::uint64_t& one = numbers[random.below(numbers.size())];
  one = random.number(one);
  bytes.clear();
  for (const std::uint64_t each : numbers) support::append_varint(bytes, each);
}

// Texts that a format has to escape, and numbers as names.
std::string strange_text(Random& random) {
  static constexpr std::array<std::string_view, 12> kTexts = {"</script><script>alert(1)</script>",
                                                              "a;b c\nd\re",
                                                              "\x1b]0;x\x07\x1b[2J",
                                                              "=1+1",
                                                              "\"',\\\n",
                                                              "\xe2\x80\xae\xff\xfe\x80",
                                                              "../../../etc/passwd",
                                                              "%s%n%*d",
                                                              "{\"a\":1}",
                                                              "&lt;]]>--><!--",
                                                              "]",
                                                              ""};
  std::string out(kTexts[random.below(kTexts.size())]);
  if (random.one_in(8)) out.append(random.below(100'000), 'x');
  if (random.one_in(8)) out.push_back('\0');
  return out;
}

void damage_text(std::string& text, Random& random, int depth);

void damage_fields(std::vector<Field>& fields, Random& random, int depth) {
  if (fields.empty()) return;
  const std::size_t at = random.below(fields.size());
  Field& field = fields[at];
  switch (random.below(12)) {
    case 0:
      fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(at));
      return;
    case 1:
      fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(random.below(fields.size())),
                    Field(field));
      return;
    case 2:
      std::swap(field, fields[random.below(fields.size())]);
      return;
    case 3:
      field.tag = static_cast<std::uint32_t>(random.one_in(2) ? random.below(45)
                                                              : random.number(field.tag));
      return;
    case 4:
      field.is_text = !field.is_text;
      return;
    default:
      if (field.is_text) {
        damage_text(field.text, random, depth + 1);
      } else {
        field.number = random.number(field.number);
      }
  }
}

void damage_text(std::string& text, Random& random, int depth) {
  if (std::vector<Field> within; depth < kDeepest && !text.empty() && parse(text, within)) {
    damage_fields(within, random, depth);
    text = join(within);
    return;
  }
  switch (random.below(4)) {
    case 0:
      text = strange_text(random);
      return;
    case 1:
      return damage_varints(text, random);
    default:
      return damage_bytes(text, random);
  }
}

std::string damage_content(const Sample& sample, Random& random) {
  std::vector<std::vector<Field>> chunks;
  for (const Sample::Chunk& chunk : sample.chunks) {
    DT_CHECK(parse(chunk.raw, chunks.emplace_back()), "{}", sample.name);
  }
  if (random.one_in(12)) {
    std::swap(chunks[random.below(chunks.size())], chunks[random.below(chunks.size())]);
  }
  static constexpr std::array<int, 6> kTimes = {1, 1, 1, 2, 4, 16};
  for (int i = kTimes[random.below(kTimes.size())]; i > 0; --i) {
    // The program comes first, and all else depends on it.
    damage_fields(chunks[random.one_in(2) ? 0 : random.below(chunks.size())], random, 0);
  }
  std::string out(recording::kMagic);
  recording::Packer packer;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    recording::ChunkHeader header = sample.chunks[i].header;
    header.number = number++;
    if (random.one_in(40)) {
      header.flags = static_cast<std::uint32_t>(random.below(4));
      header.number = static_cast<std::uint32_t>(random.number(header.number));
      header.first_ns = static_cast<std::int64_t>(random.number(0));
      header.last_ns = static_cast<std::int64_t>(random.number(0));
    }
    std::string raw = join(chunks[i]);
    if (random.one_in(16)) damage_bytes(raw, random);
    out += packer.pack(raw, header);
  }
  return out;
}

}  // namespace

std::uint64_t Random::number(std::uint64_t known) {
  switch (below(9)) {
    case 0:
      return 0;
    case 1:
      return below(16);
    case 2:
      return known + below(17) - 8;
    case 3:
      return ~std::uint64_t{0} - below(64);
    case 4:
      return std::uint64_t{1} << below(64);
    case 5:
      return (std::uint64_t{1} << below(64)) - 1;
    case 6:
      return below(known * 2 + 1);
    case 7:
      return 0 - known;
    default:
      return word();
  }
}

Sample take_apart(std::string name, std::string bytes) {
  Sample sample{std::move(name), std::move(bytes), {}};
  std::string_view rest = sample.bytes;
  recording::ChunkReader reader([&](std::span<char> into) -> Result<std::size_t> {
    const std::size_t count = rest.copy(into.data(), into.size());
    rest.remove_prefix(count);
    return count;
  });
  DT_CHECK(reader.begin().ok(), "{} is no recording", sample.name);
  std::string raw;
  while (true) {
    const auto outcome = reader.next(raw);
    DT_CHECK(outcome.ok(), "{}: {}", sample.name, outcome.error().text);
    if (*outcome != recording::ChunkReader::Outcome::kChunk) break;
    sample.chunks.push_back({reader.header(), raw});
  }
  return sample;
}

Damaged damage(const Sample& sample, Random& random) {
  Damaged out{sample.name, sample.bytes};
  if (random.one_in(12)) {
    out.bytes.resize(random.below(out.bytes.size()));
    out.what += ", cut";
  } else if (random.one_in(11)) {
    for (std::uint64_t i = random.below(4);; --i) {
      damage_bytes(out.bytes, random);
      if (i == 0) break;
    }
    out.what += ", damaged as it is stored";
  } else {
    out.bytes = damage_content(sample, random);
    out.what += ", with sums that agree";
  }
  return out;
}

}  // namespace dt::hostile
