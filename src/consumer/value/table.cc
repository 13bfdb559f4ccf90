// Rows are printed as they come, so a column cannot wait for its widest value: it begins with the
// width that most values of its type need, and grows with the first that needs more. It does not
// shrink, so that later rows stand below each other.

#include "consumer/value/table.h"

#include <algorithm>

namespace dt::consumer {
namespace {

using record::FieldKind;

// Of a process's number, a size, a time in ns; and of execname.
std::size_t usual_width(const record::FieldType& type) {
  if (type.kind != FieldKind::kInt) return 16;
  switch (type.size) {
    case 1:
      return 3;
    case 2:
      return 5;
    case 4:
      return 7;
    default:
      return 10;
  }
}

// Bytes that begin a character of UTF-8.
std::size_t columns_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
  }));
}

bool is_text_column(const record::Column& column, const Value& value) {
  return value.type->kind != FieldKind::kInt &&
         (column.piece.conversion == 0 || column.piece.conversion == 's');
}

}  // namespace

std::string cell(FieldText& fields, const record::Column& column, const Value& value) {
  std::string out;
  Piece piece = column.piece;
  if (!is_text_column(column, value)) {
    if (piece.conversion == 0) piece.conversion = 'd';
    piece.width = piece.zero && !piece.left ? piece.width : 0;
    fields.append_conversion(out, piece, value);
    if (piece.conversion != 'c') return out;
  } else {
    out = fields.plain(value);
  }
  if (piece.precision > 0)
    out.resize(std::min(out.size(), static_cast<std::size_t>(piece.precision)));
  std::string shown;
  fields.append_name(shown, out);
  return shown;
}

void Tables::append_line(std::string& out, const Table& table,
                         const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Width& width = table.widths[i];
    const std::size_t used = columns_in(cells[i]);
    const std::size_t pad = width.columns > used ? width.columns - used : 0;
    if (i != 0) out += ' ';
    if (!width.is_left) out.append(pad, ' ');
    out += cells[i];
    if (width.is_left && i + 1 < cells.size()) out.append(pad, ' ');
  }
  out += '\n';
}

void Tables::append_row(std::string& out, const record::Action& action,
                        std::span<const Value> values) {
  const std::size_t count = std::min(action.columns.size(), values.size());
  Table& table = tables_[action.format];
  std::vector<std::string> names;
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < count; ++i) {
    const record::Column& column = action.columns[i];
    names.push_back(column.name);
    cells.push_back(cell(fields_, column, values[i]));
    if (i >= table.widths.size()) {
      const bool has_conversion = column.piece.conversion != 0;
      const auto asked = static_cast<std::size_t>(column.piece.width);
      const std::size_t least = asked != 0 ? asked : usual_width(*values[i].type);
      table.widths.push_back(
          {std::max(least, columns_in(column.name)),
           has_conversion ? column.piece.left : is_text_column(column, values[i])});
    }
    table.widths[i].columns = std::max(table.widths[i].columns, columns_in(cells[i]));
  }
  if (last_ != action.format) {
    append_line(out, table, names);
    last_ = action.format;
  }
  append_line(out, table, cells);
}

}  // namespace dt::consumer
