// See outcome.h. An outcome is
//
//     1 kind   2 text   3 goes on   4 time   5 point   6 cpu + 1   7 pid + 1   8 tid + 1
//     9 a key   10 the value   11 statistics   12 a histogram   13 is counted   14 is asked
//
// and within these: 1 is a text, 2 number, 3 text, 4 of the
// kernel, 5 a frame (1 module, 2 function, 3 offset); 1 count, 2 sum, 3 min, 4 max, 5 average;
// 1 name, 2 a key, 3 is linear, 4 low, 5 high, 6 width, 7 a bucket (1 value, 2 count, 3 is below,
// 4 is above).

#include "front/outcome.h"

#include <fmt/core.h>

#include "support/tagged.h"

namespace dt::front {
namespace {

using support::folded_sign;
using support::Tagged;
using support::TaggedReader;
using support::TaggedWriter;
using support::unfolded_sign;

void put(TaggedWriter& out, const OutcomeValue& value) {
  out.number_unless_0(1, value.is_text ? 1 : 0);
  out.number_unless_0(2, folded_sign(value.number));
  out.text_unless_empty(3, value.text);
  out.number_unless_0(4, value.is_kernel ? 1 : 0);
  for (const OutcomeFrame& frame : value.frames) {
    out.within(5, [&](TaggedWriter& within) {
      within.text_unless_empty(1, frame.module);
      within.text_unless_empty(2, frame.function);
      within.number_unless_0(3, frame.offset);
    });
  }
}

void put(TaggedWriter& out, const OutcomeHistogram& histogram) {
  out.text_unless_empty(1, histogram.name);
  for (const OutcomeValue& key : histogram.keys) {
    out.within(2, [&](TaggedWriter& within) { put(within, key); });
  }
  out.number_unless_0(3, histogram.is_linear ? 1 : 0);
  out.number_unless_0(4, folded_sign(histogram.low));
  out.number_unless_0(5, folded_sign(histogram.high));
  out.number_unless_0(6, folded_sign(histogram.width));
  for (const OutcomeBucket& bucket : histogram.buckets) {
    out.within(7, [&](TaggedWriter& within) {
      within.number_unless_0(1, folded_sign(bucket.value));
      within.number_unless_0(2, folded_sign(bucket.count));
      within.number_unless_0(3, bucket.is_below ? 1 : 0);
      within.number_unless_0(4, bucket.is_above ? 1 : 0);
    });
  }
}

// A number that may be missing: 0 where it is.
void put(TaggedWriter& out, std::uint32_t tag, const std::optional<std::int64_t>& number) {
  if (number) out.number(tag, static_cast<std::uint64_t>(*number) + 1);
}

template <typename Take>
bool each(std::string_view bytes, const Take& take) {
  TaggedReader reader(bytes);
  Tagged field;
  while (reader.next(field)) take(field);
  return !reader.is_damaged();
}

bool take(std::string_view bytes, OutcomeFrame& out) {
  return each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.module = field.text;
    if (field.tag == 2) out.function = field.text;
    if (field.tag == 3) out.offset = field.number;
  });
}

// Whether one more is no more than an outcome may have. A part is two bytes in a file, and many in
// memory: a file that is not ours must not take all memory.
bool has_room(std::size_t& parts) { return ++parts <= kMostParts; }

bool take(std::string_view bytes, OutcomeValue& out, std::size_t& parts) {
  bool is_sound = true;
  const bool is_whole = each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.is_text = field.number != 0;
    if (field.tag == 2) out.number = unfolded_sign(field.number);
    if (field.tag == 3) out.text = field.text;
    if (field.tag == 4) out.is_kernel = field.number != 0;
    if (field.tag == 5) {
      is_sound = is_sound && has_room(parts) && take(field.text, out.frames.emplace_back());
    }
  });
  return is_whole && is_sound;
}

bool take(std::string_view bytes, OutcomeStatistics& out) {
  return each(bytes, [&](const Tagged& field) {
    const std::int64_t number = unfolded_sign(field.number);
    if (field.tag == 1) out.count = number;
    if (field.tag == 2) out.sum = number;
    if (field.tag == 3) out.min = number;
    if (field.tag == 4) out.max = number;
    if (field.tag == 5) out.average = number;
  });
}

bool take(std::string_view bytes, OutcomeBucket& out) {
  return each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.value = unfolded_sign(field.number);
    if (field.tag == 2) out.count = unfolded_sign(field.number);
    if (field.tag == 3) out.is_below = field.number != 0;
    if (field.tag == 4) out.is_above = field.number != 0;
  });
}

bool take(std::string_view bytes, OutcomeHistogram& out, std::size_t& parts) {
  bool is_sound = true;
  const bool is_whole = each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) out.name = field.text;
    if (field.tag == 2) {
      is_sound = is_sound && has_room(parts) && take(field.text, out.keys.emplace_back(), parts);
    }
    if (field.tag == 3) out.is_linear = field.number != 0;
    if (field.tag == 4) out.low = unfolded_sign(field.number);
    if (field.tag == 5) out.high = unfolded_sign(field.number);
    if (field.tag == 6) out.width = unfolded_sign(field.number);
    if (field.tag == 7) {
      is_sound = is_sound && has_room(parts) && take(field.text, out.buckets.emplace_back());
    }
  });
  return is_whole && is_sound;
}

bool take_origin(const Tagged& field, Origin& out) {
  const auto number = static_cast<std::int64_t>(field.number - 1);
  if (field.tag == 4) out.time_ns = static_cast<std::int64_t>(field.number);
  if (field.tag == 5) out.point = field.text;
  if (field.tag == 6) out.cpu = number;
  if (field.tag == 7) out.pid = number;
  if (field.tag == 8) out.tid = number;
  return true;
}

std::string shown(const OutcomeValue& value) {
  return value.is_text ? in_quotes(value.text) : std::to_string(value.number);
}

std::string shown(const OutcomeStatistics& s) {
  if (s.count == 0) return " @count=0x0";  // in this form, which is SystemTap's
  return fmt::format(" @count={} @min={} @max={} @sum={} @avg={}", s.count, s.min, s.max, s.sum,
                     s.average);
}

}  // namespace

std::string encoded(const Outcome& outcome) {
  std::string bytes;
  TaggedWriter out(bytes);
  out.number(1, static_cast<std::uint64_t>(outcome.kind));
  out.text_unless_empty(2, outcome.text);
  out.number_unless_0(3, outcome.goes_on ? 1 : 0);
  out.number_unless_0(4, static_cast<std::uint64_t>(outcome.by.time_ns));
  out.text_unless_empty(5, outcome.by.point);
  put(out, 6, outcome.by.cpu);
  put(out, 7, outcome.by.pid);
  put(out, 8, outcome.by.tid);
  for (const OutcomeHistogram& histogram : outcome.histograms) {
    out.within(12, [&](TaggedWriter& within) { put(within, histogram); });
  }
  if (outcome.kind != Outcome::Kind::kVariable) return bytes;
  out.number_unless_0(13, outcome.is_counted ? 1 : 0);
  out.number_unless_0(14, outcome.is_asked ? 1 : 0);
  for (const OutcomeValue& key : outcome.keys) {
    out.within(9, [&](TaggedWriter& within) { put(within, key); });
  }
  if (!outcome.statistics) {
    out.within(10, [&](TaggedWriter& within) { put(within, outcome.value); });
    return bytes;
  }
  out.within(11, [&s = *outcome.statistics](TaggedWriter& within) {
    within.number(1, folded_sign(s.count));
    within.number(2, folded_sign(s.sum));
    within.number(3, folded_sign(s.min));
    within.number(4, folded_sign(s.max));
    within.number(5, folded_sign(s.average));
  });
  return bytes;
}

std::optional<Outcome> decoded(std::string_view bytes) {
  Outcome out;
  std::uint64_t kind = 0;
  std::size_t parts = 0;
  bool is_sound = true;
  const bool is_whole = each(bytes, [&](const Tagged& field) {
    if (field.tag == 1) kind = field.number;
    if (field.tag == 2) out.text = field.text;
    if (field.tag == 3) out.goes_on = field.number != 0;
    if (field.tag >= 4 && field.tag <= 8) take_origin(field, out.by);
    if (field.tag == 9) {
      is_sound = is_sound && has_room(parts) && take(field.text, out.keys.emplace_back(), parts);
    }
    if (field.tag == 10) is_sound = take(field.text, out.value, parts) && is_sound;
    if (field.tag == 11) is_sound = take(field.text, out.statistics.emplace()) && is_sound;
    if (field.tag == 12) {
      is_sound =
          is_sound && has_room(parts) && take(field.text, out.histograms.emplace_back(), parts);
    }
    if (field.tag == 13) out.is_counted = field.number != 0;
    if (field.tag == 14) out.is_asked = field.number != 0;
  });
  constexpr auto kLast = static_cast<std::uint64_t>(Outcome::Kind::kCommand);
  if (!is_whole || !is_sound || kind == 0 || kind > kLast) return std::nullopt;
  out.kind = static_cast<Outcome::Kind>(kind);
  return out;
}

std::string variable_text(const Outcome& variable) {
  std::string out = variable.text;
  for (std::size_t i = 0; i < variable.keys.size(); ++i) {
    out += (i == 0 ? "[" : ",") + shown(variable.keys[i]);
  }
  if (!variable.keys.empty()) out += "]";
  out += variable.statistics ? shown(*variable.statistics) : "=" + shown(variable.value);
  return out + '\n';
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  constexpr std::string_view kSpecial = "\n\t\r\a\b\f\v", kLetters = "ntrabfv";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (const std::size_t found = kSpecial.find(c); found != std::string_view::npos) {
      out += '\\';
      out += kLetters[found];
    } else if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) == 0x7f) {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace dt::front
