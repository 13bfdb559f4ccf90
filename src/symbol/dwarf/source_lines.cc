// See source_lines.h.

#include "symbol/dwarf/source_lines.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxInlined = 256;  // at one address

}  // namespace

SourceLines::Unit& SourceLines::unit_at(const DwarfUnit& unit, SourceWish wish) {
  Unit& made = tables_[unit.offset];
  made.age.used = now_;
  const std::size_t before = made.age.bytes;
  if (wish.lines && !made.lines) {
    made.lines = LineTable::read(units_, unit);
    made.age.bytes += made.lines->bytes();
  }
  if (wish.inlines && !made.scopes) {
    made.scopes = read_scopes(units_, unit);
    made.age.bytes += made.scopes->bytes();
  }
  table_bytes_ += made.age.bytes - before;
  return made;
}

std::vector<SourceFrame> SourceLines::find(std::uint64_t address, SourceWish wish) {
  const DwarfUnit* const unit = units_.at_code(address);
  if (unit == nullptr) return {};
  Unit& tables = unit_at(*unit, wish);
  const std::size_t before = tables.lines ? tables.lines->path_bytes() : 0;
  std::vector<SourceFrame> frames;
  SourceFrame frame;
  const auto place = [&](std::uint32_t file, std::uint32_t line) {
    if (!tables.lines || line == 0) return;
    frame.file = tables.lines->path(units_, *unit, file);
    frame.line = frame.file.empty() ? 0 : line;
  };
  if (tables.lines) {
    if (const auto at = tables.lines->find(address)) place(at->file, at->line);
  }
  const std::optional<std::uint32_t> innermost =
      tables.scopes ? tables.scopes->code.find(address) : std::nullopt;
  std::uint32_t number = innermost.value_or(DwarfScope::kNone);
  while (number != DwarfScope::kNone && frames.size() < kMaxInlined) {
    const DwarfScope& scope = tables.scopes->list[number];
    if (scope.outer == DwarfScope::kNone) break;
    frame.function = units_.name_of(scope.name);
    frames.push_back(std::exchange(frame, {}));
    place(scope.file, scope.line);
    number = scope.outer;
  }
  frames.push_back(std::move(frame));
  if (tables.lines) {
    tables.age.bytes += tables.lines->path_bytes() - before;
    table_bytes_ += tables.lines->path_bytes() - before;
  }
  return frames;
}

// Tables are read for this question alone: no unit stays in memory.
void SourceLines::for_rows(const std::function<bool(const std::string& path)>& wants,
                           const std::function<void(const Row& row)>& each) {
  for (std::size_t i = 0; i < units_.count(); ++i) {
    const DwarfUnit& unit = units_.at(i);
    LineTable table = LineTable::read(units_, unit);
    std::unordered_map<std::uint32_t, bool> wanted;
    std::optional<DwarfScopes> scopes;
    table.for_rows([&](std::uint64_t address, const LineTable::Place& place) {
      if (place.line == 0) return;
      const auto [known, is_new] = wanted.try_emplace(place.file, false);
      if (is_new) known->second = wants(table.path(units_, unit, place.file));
      if (!known->second) return;
      if (!scopes) scopes = read_scopes(units_, unit);
      Row row{address, table.path(units_, unit, place.file), place.line};
      const std::optional<std::uint32_t> number = scopes->code.find(address);
      if (number && scopes->list[*number].outer != DwarfScope::kNone) {
        row.inlined = units_.name_of(scopes->list[*number].name);
        row.copy = unit.offset + *number + 1;
      }
      each(row);
    });
  }
}

void SourceLines::add_ages(std::vector<Age>& to) const {
  for (const auto& [offset, unit] : tables_) to.push_back(unit.age);
}

void SourceLines::forget_before(std::uint64_t used) {
  std::erase_if(tables_, [&](const auto& one) {
    const bool is_old = one.second.age.used < used;
    if (is_old) table_bytes_ -= one.second.age.bytes;
    return is_old;
  });
}

}  // namespace dt::symbol
