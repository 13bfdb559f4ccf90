// See damage_dwarf.h.

#include "damage_dwarf.h"

#include <array>
#include <string_view>

namespace dt::elf {
namespace {

using std::string_view_literals::operator""sv;

// A number of LEB128 that is long, large, or has no end.
void put_leb(View& view, std::size_t at, std::size_t end, Random& random) {
  for (std::uint64_t left = random.below(12); left > 0 && at < end; --left) {
    view.put<std::uint8_t>(at++, static_cast<std::uint8_t>(random.word() | 0x80));
  }
  if (at < end) view.put<std::uint8_t>(at, static_cast<std::uint8_t>(random.below(128)));
}

// The entries of .eh_frame or .debug_frame: where they begin.
std::vector<std::size_t> entries(const View& view, const Part& part) {
  std::vector<std::size_t> all;
  for (std::size_t at = part.begin; at + 8 <= part.begin + part.size;) {
    all.push_back(at);
    const std::size_t length = view.get<std::uint32_t>(at);
    if (length == 0) break;
    at += 4 + length;
  }
  return all;
}

void damage_entry(View& view, std::size_t at, Random& random) {
  const std::uint32_t length = view.get<std::uint32_t>(at);
  const std::size_t end = at + 4 + length;
  const bool is_common = view.get<std::uint32_t>(at + 4) == 0;
  switch (random.below(8)) {
    case 0:
      view.put(at, static_cast<std::uint32_t>(random.number(length)));
      break;
    case 1:  // which CIE it has: itself, another function, one that is not there
      view.put(at + 4, static_cast<std::uint32_t>(random.number(view.get<std::uint32_t>(at + 4))));
      break;
    case 2:
      if (is_common) {
        constexpr std::array kLetters = {"zR"sv,  "zPLR"sv, "eh"sv, "zRS"sv,
                                         "RPL"sv, "zzz"sv,  "zB"sv};
        view.put_text(at + 9, random.of(kLetters));
      } else {
        view.put(at + 8,
                 static_cast<std::uint32_t>(random.number(view.get<std::uint32_t>(at + 8))));
      }
      break;
    case 3:  // encodings, or the size of the code
      if (is_common) {
        view.put(at + 12 + random.below(6), static_cast<std::uint8_t>(random.word()));
      } else {
        view.put(at + 12,
                 static_cast<std::uint32_t>(random.number(view.get<std::uint32_t>(at + 12))));
      }
      break;
    case 4:
      put_leb(view, at + 8 + random.below(length), end, random);
      break;
    default: {
      // Instructions: those that take the place, remember, restore, set by expressions.
      constexpr std::array<std::uint8_t, 12> kCode = {0x01, 0x02, 0x03, 0x04, 0x0a, 0x0b,
                                                      0x0f, 0x10, 0x16, 0x2e, 0x40, 0xc0};
      for (std::uint64_t left = 1 + random.below(12); left > 0; --left) {
        const std::size_t where = at + (is_common ? 14 : 16) + random.below(length);
        if (where < end) view.put(where, random.of(kCode));
      }
    }
  }
}

// In .debug_*: sizes of what begins a unit, a table or a list.
void damage_unit(View& view, const Part& part, Random& random) {
  std::vector<std::size_t> units;
  for (std::size_t at = part.begin; at + 12 <= part.begin + part.size && units.size() < 64;) {
    units.push_back(at);
    at += 4 + std::size_t{view.get<std::uint32_t>(at)};
  }
  if (units.empty()) return;
  const std::size_t at = random.of(units);
  const std::size_t field = random.below(24);
  const std::size_t width = std::size_t{1} << random.below(4);
  view.put_number(at + field, width, random.number(part.size));
}

// Refers to some entry, itself among them, so that references go in circles.
void damage_references(View& view, const Part& part, Random& random) {
  for (std::uint64_t left = 1 + random.below(64); left > 0; --left) {
    const std::size_t at = part.begin + 12 + random.below(part.size);
    if (at + 4 > part.begin + part.size) continue;
    const std::uint64_t to =
        random.one_in(3) ? at - part.begin - random.below(8) : random.below(part.size);
    view.put(at, static_cast<std::uint32_t>(to));
  }
}

// Forms, attributes and tags of others.
void damage_abbreviations(View& view, const Part& part, Random& random) {
  constexpr std::array<std::uint8_t, 26> kForms = {
      0x01, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0d, 0x0e, 0x0f, 0x10,
      0x11, 0x13, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x20, 0x21, 0x23};
  constexpr std::array<std::uint8_t, 16> kNames = {0x01, 0x03, 0x0b, 0x10, 0x11, 0x12, 0x1b, 0x31,
                                                   0x47, 0x49, 0x55, 0x58, 0x72, 0x73, 0x74, 0x6e};
  constexpr std::array<std::uint8_t, 10> kTags = {0x11, 0x1d, 0x2e, 0x3c, 0x4a,
                                                  0x13, 0x01, 0x21, 0x0f, 0x39};
  for (std::uint64_t left = 1 + random.below(6); left > 0; --left) {
    const std::size_t at = part.begin + random.below(part.size);
    const std::uint64_t kind = random.below(4);
    view.put(at, kind == 0 ? random.of(kNames) : kind == 1 ? random.of(kTags) : random.of(kForms));
  }
}

// Programs of lines, lists of ranges: codes and numbers.
void damage_program(View& view, const Part& part, Random& random) {
  for (std::uint64_t left = 1 + random.below(24); left > 0; --left) {
    const std::size_t at = part.begin + random.below(part.size);
    if (random.one_in(4)) {
      put_leb(view, at, part.begin + part.size, random);
    } else {
      view.put(at, static_cast<std::uint8_t>(random.below(random.one_in(2) ? 14 : 256)));
    }
  }
}

}  // namespace

bool damage_frames(View& view, Damaged&, Random& random) {
  constexpr std::array kNames = {".eh_frame"sv, ".eh_frame"sv, ".eh_frame_hdr"sv, ".debug_frame"sv};
  const Part* const part = view.find(random.of(kNames));
  if (part == nullptr || part->size < 16) return true;
  if (part->name == ".eh_frame_hdr") {
    const std::size_t at = random.below(random.one_in(2) ? 12 : part->size - 8);
    view.put_number(part->begin + at, std::size_t{1} << random.below(4), random.number(part->size));
    return false;
  }
  const std::vector<std::size_t> all = entries(view, *part);
  for (std::uint64_t left = 1 + random.below(4); left > 0 && !all.empty(); --left) {
    damage_entry(view, random.of(all), random);
  }
  return false;
}

bool damage_dwarf(View& view, Damaged&, Random& random) {
  std::vector<const Part*> debug;
  for (const Part& one : view.parts) {
    if (one.name.starts_with(".debug_") && one.name != ".debug_frame" && one.size > 16) {
      debug.push_back(&one);
    }
  }
  if (debug.empty()) return true;
  const Part& part = *random.of(debug);
  if (random.one_in(4)) {
    damage_unit(view, part, random);
  } else if (part.name == ".debug_info" && random.one_in(2)) {
    damage_references(view, part, random);
  } else if (part.name == ".debug_abbrev") {
    damage_abbreviations(view, part, random);
  } else {
    damage_program(view, part, random);
  }
  return true;
}

}  // namespace dt::elf
