#pragma once
// Makes tables by which stacks are unwound (call_frames.h).

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symbol/frames/frame_table.h"

namespace dt::symbol {

// Collects the rows of a table, which are added once each, in ascending order of their addresses in
// the file.
class FrameTableMaker {
 public:
  // `rule` holds from `offset`.
  void add(std::uint32_t offset, const FrameRule& rule) {
    const std::uint32_t number = number_of(rule);
    std::vector<FrameTable::Row>& rows = table_.rows;
    // The end of the function before, where another begins.
    if (!rows.empty() && rows.back().offset == offset) rows.pop_back();
    if (rows.empty() || rows.back().rule != number) rows.push_back({offset, number});
  }
  FrameTable take() { return std::move(table_); }

 private:
  std::uint32_t number_of(const FrameRule& rule) {
    const auto bits = [](auto value, unsigned at) { return std::uint64_t{value} << at; };
    // Fewer than 64, so that rules are compared at once.
    const std::uint64_t key =
        bits(static_cast<std::uint8_t>(rule.base), 0) |
        bits(static_cast<std::uint8_t>(rule.saved), 4) | bits(rule.number, 8) |
        bits(static_cast<std::uint16_t>(rule.frame_pointer), 16) | bits(rule.rbx, 32) |
        bits(static_cast<std::uint32_t>(rule.offset), 40);
    Recent& recent = recent_[slot_of(key)];
    if (recent.key == key && recent.number < table_.rules.size()) return recent.number;
    const auto [found, is_new] =
        numbers_.try_emplace(key, static_cast<std::uint32_t>(table_.rules.size()));
    if (is_new) table_.rules.push_back(rule);
    recent = {key, found->second};
    return found->second;
  }

  // A few rules make up most rows, and to find one in the map takes longer than all else that is
  // done for its row.
  static constexpr unsigned kRecentBits = 8;
  struct Recent {
    std::uint64_t key = 0;
    std::uint32_t number = UINT32_MAX;  // no rule
  };
  static std::size_t slot_of(std::uint64_t key) {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>((key * kGolden) >> (64 - kRecentBits));
  }

  FrameTable table_;
  std::array<Recent, std::size_t{1} << kRecentBits> recent_{};
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace dt::symbol
