// See columns.h.

#include "record/columns.h"

#include <algorithm>
#include <utility>

namespace dt::record {

std::optional<Column> parse_column(std::string_view text) {
  const bool has_control = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  ParsedFormat parsed = parse_format(text);
  if (has_control || parsed.error || parsed.pieces.size() != 1) return std::nullopt;
  FormatPiece& piece = parsed.pieces[0];
  if (piece.aggregation || piece.width_argument || piece.precision_argument) return std::nullopt;
  Column column;
  column.name = std::exchange(piece.text, {});
  while (!column.name.empty() && column.name.back() == ' ') column.name.pop_back();
  if (column.name.empty()) return std::nullopt;
  column.piece = std::move(piece);
  return column;
}

std::vector<Column> parse_columns(std::string_view format) {
  std::vector<Column> columns;
  while (!format.empty()) {
    const std::size_t end = std::min(format.find('\n'), format.size());
    const std::string_view text = format.substr(0, end);
    columns.push_back(parse_column(text).value_or(Column{std::string(text), {}}));
    format.remove_prefix(std::min(end + 1, format.size()));
  }
  return columns;
}

}  // namespace dt::record
