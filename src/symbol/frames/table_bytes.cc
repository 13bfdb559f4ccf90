// See table_bytes.h.
//
//   u32 rules | u32 rows | the rules | the rows | u64 a sum over all before it
//
// They are read on the machine that wrote them: numbers and structures are as they are in memory.

#include "symbol/frames/table_bytes.h"

#include <cstring>
#include <type_traits>

namespace dt::symbol {
namespace {

using Row = FrameTable::Row;
static_assert(std::is_trivially_copyable_v<FrameRule> && std::is_trivially_copyable_v<Row>);

struct Head {
  std::uint32_t rules = 0, rows = 0;
};

// FNV-1a, by words: that a file is not whole is seen by its size already.
std::uint64_t sum_of(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    sum = (sum ^ word) * 0x100000001b3;
  }
  return sum;
}

template <typename T>
void append(std::string& out, const T* values, std::size_t count) {
  if (count > 0) out.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

}  // namespace

std::string table_bytes(const FrameTable& table) {
  const Head head = {static_cast<std::uint32_t>(table.rules.size()),
                     static_cast<std::uint32_t>(table.rows.size())};
  std::string out;
  append(out, &head, 1);
  append(out, table.rules.data(), table.rules.size());
  append(out, table.rows.data(), table.rows.size());
  const std::uint64_t sum = sum_of(out);
  append(out, &sum, 1);
  return out;
}

std::optional<FrameTable> frames_of(std::string_view bytes) {
  Head head;
  std::uint64_t sum = 0;
  if (bytes.size() < sizeof head + sizeof sum) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes.remove_suffix(sizeof sum);
  const std::size_t rules = sizeof(FrameRule) * std::size_t{head.rules};
  const std::size_t rows = sizeof(Row) * std::size_t{head.rows};
  if (bytes.size() != sizeof head + rules + rows || sum != sum_of(bytes)) return std::nullopt;
  bytes.remove_prefix(sizeof head);
  FrameTable table;
  table.rules.resize(head.rules);
  table.rows.resize(head.rows);
  if (rules > 0) std::memcpy(table.rules.data(), bytes.data(), rules);
  if (rows > 0) std::memcpy(table.rows.data(), bytes.data() + rules, rows);
  for (const Row& row : table.rows) {
    if (row.rule >= head.rules) return std::nullopt;
  }
  return table;
}

}  // namespace dt::symbol
