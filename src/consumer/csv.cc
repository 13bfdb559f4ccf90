// CSV has the data and not the layout: a printf() gives its values, so its text is not needed.

#include "consumer/csv.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "consumer/exact_text.h"
#include "consumer/json_lines.h"
#include "consumer/json_value.h"
#include "consumer/memory.h"
#include "consumer/print.h"
#include "consumer/table.h"

namespace dt::consumer {
namespace {

using record::ActionKind;

void append_quoted(std::string& out, std::string_view text) {
  const bool is_plain = !text.empty() && text.find_first_of(",\"\r\n") == text.npos &&
                        text.front() != ' ' && text.back() != ' ';
  if (is_plain || text.empty()) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// A spreadsheet takes a text for a formula that begins so, and obeys it. One that begins with ' is
// a text to it; so that no two texts become one, those that begin with it get another one.
bool is_taken_for_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@'\t\r").find(text.front()) != text.npos;
}

std::string header_of(const Csv::Cells& cells) {
  std::string header;
  for (const Csv::Cell& one : cells) {
    append_quoted(header, one.name);
    header += ',';
  }
  return header + "drops\n";
}

// A printf() of fewer texts is no heading.
constexpr std::size_t kLeastHeading = 2;

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether nothing but texts and arguments of the script ($1, $name) is in an expression. Else the
// text depends on what was traced.
bool is_fixed(std::string_view expression) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (is_quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && c == '$') {
      while (i + 1 < expression.size() && is_of_name(expression[i + 1])) ++i;
    } else if (!is_quoted && is_of_name(c) && std::isdigit(static_cast<unsigned char>(c)) == 0) {
      return false;
    }
  }
  return true;
}

// Whether the cells are texts that stand in the script, as `printf("%-8s %s\n", "PID", "COMMAND")`
// prints them above a table.
bool is_heading(const record::Action& action, const Csv::Cells& cells) {
  return action.kind == ActionKind::kPrintf &&
         std::all_of(cells.begin(), cells.end(), [](const Csv::Cell& cell) {
           return cell.is_text && is_fixed(cell.name) &&
                  cell.name.find('"' + cell.text + '"') != std::string::npos;
         });
}

// The conversions of a format that show a value each, in their order; nullptr where a value is a
// width or a precision.
std::vector<const Piece*> conversions_of(const Format& format) {
  std::vector<const Piece*> conversions;
  for (const Piece& piece : format) {
    if (piece.conversion == 0 || piece.supply != record::Supply::kNone) continue;
    if (piece.width_argument) conversions.push_back(nullptr);
    if (piece.precision_argument) conversions.push_back(nullptr);
    conversions.push_back(&piece);
  }
  return conversions;
}

void add_values(Csv::Cells& cells, FieldText& fields, const Sources& sources,
                const record::Layout& layout, const record::Action& action, const Format& format,
                Bytes bytes) {
  const std::vector<const Piece*> conversions = conversions_of(format);
  for (std::uint32_t i = 0; i < (is_memory(action.kind) ? 1 : action.field_count); ++i) {
    const record::Field& field = layout.fields[action.first_field + i];
    const Value value = value_of(field, bytes);
    std::string text;
    if (is_memory(action.kind)) {
      text = hexadecimal(memory_of(layout, action, bytes));
    } else if (action.kind == ActionKind::kPrint && !is_probe_part(value.type->kind)) {
      append_print(text, layout.shapes, action.shape, value.bytes);
    } else {
      text = csv_text(fields, value);
    }
    cells.push_back({value_name(sources, field), std::move(text), is_text(value)});
    if (i < conversions.size() && conversions[i] != nullptr && shows_otherwise(*conversions[i])) {
      cells.back().in_unit = csv_in_unit(fields, *conversions[i], value);
    }
  }
}

void append_row(std::string& out, Csv& csv, FieldText& fields, const record::Layout& layout,
                const record::Action& action, Bytes bytes) {
  Csv::Cells cells;
  for (std::uint32_t i = 0; i < action.field_count && i < action.columns.size(); ++i) {
    const record::Column& column = action.columns[i];
    const Value value = value_of(layout.fields[action.first_field + i], bytes);
    cells.push_back(
        {column.name,
         column.piece.conversion == 0 ? csv_text(fields, value) : cell(fields, column, value),
         is_text(value)});
  }
  csv.append(out, cells);
}

}  // namespace

void Csv::append(std::string& out, const Cells& cells) {
  if (cells.empty()) return;
  const std::string header = header_of(cells);
  if (waiting_.size() == cells.size()) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      waiting_[i].name = waiting_[i].text.empty() ? cells[i].name : waiting_[i].text;
    }
    headings_[header] = header_of(std::exchange(waiting_, {}));
  }
  append_waiting(out);
  const auto named = headings_.find(header);
  if (named == headings_.end()) return append_row(out, header, cells);
  Cells shown = cells;
  for (Cell& one : shown) {
    if (!one.in_unit.empty()) one.text = std::move(one.in_unit);
  }
  append_row(out, named->second, shown);
}

void Csv::append_heading(std::string& out, Cells cells) {
  append_waiting(out);
  waiting_ = std::move(cells);
}

void Csv::append_waiting(std::string& out) {
  const Cells cells = std::exchange(waiting_, {});
  if (!cells.empty()) append_row(out, header_of(cells), cells);
}

void Csv::append_row(std::string& out, const std::string& header, const Cells& cells) {
  append_table(out, header);
  for (const Cell& one : cells) {
    append_quoted(out, one.is_text && is_taken_for_formula(one.text) ? "'" + one.text : one.text);
    out += ',';
  }
  append_drops(out);
}

void Csv::append_lost(std::string& out) {
  // Nothing has come behind a heading: the table is empty.
  if (!waiting_.empty() && header_ != header_of(waiting_)) {
    for (Cell& one : waiting_) one.name = one.text;
    append_table(out, header_of(std::exchange(waiting_, {})));
  }
  append_waiting(out);
  if (lost_ == 0) return;
  append_table(out, "drops\n");
  append_drops(out);
}

void Csv::append_drops(std::string& out) { out += std::to_string(std::exchange(lost_, 0)) + '\n'; }

void Csv::append_table(std::string& out, std::string header) {
  if (header != header_) {
    if (!header_.empty()) out += '\n';
    out += header;
    header_ = std::move(header);
  }
}

void LastHeader::add(std::string_view part) {
  for (const char c : part) {
    if (c == '"') is_quoted_ = !is_quoted_;
    const bool is_end = c == '\n' && !is_quoted_;
    if (is_end && last_ == '\n') {
      header_.clear();
      is_whole_ = false;
    } else if (!is_whole_ && header_.size() < kMostBytes) {
      header_ += c;
      is_whole_ = is_end;
    }
    last_ = c;
  }
}

bool is_text(const Value& value) {
  const ValueForm form = form_of(value.type->kind);
  return form == ValueForm::kText || form == ValueForm::kSymbol || form == ValueForm::kFrames;
}

std::string exact_text(FieldText& fields, const Value& value) {
  std::string text;
  switch (form_of(value.type->kind)) {
    case ValueForm::kBytes:
      return hexadecimal(value.bytes);
    case ValueForm::kFrames:
      fields.each_named_frame(value, [&](const NamedFrame& frame) {
        if (!text.empty()) text += ';';
        text += frame.text();
      });
      return text;
    case ValueForm::kNumber:
    case ValueForm::kSymbol:
    case ValueForm::kText:
      return fields.plain(value);
  }
  return text;
}

std::string csv_text(FieldText& fields, const Value& value) {
  std::string text = exact_text(fields, value);
  if (!is_text(value)) return text;
  std::string cell;
  fields.append_name(cell, text);
  return cell;
}

std::string csv_in_unit(FieldText& fields, Piece piece, const Value& value) {
  std::string text;
  piece.width = 0;
  piece.width_argument = false;
  fields.append_conversion(text, piece, value);
  return text;
}

void append_csv(std::string& out, Csv& csv, FieldText& fields, const Sources& sources,
                const record::Layout& layout, std::span<const Format> formats, Bytes bytes) {
  Csv::Cells cells, heading;  // several printf() may make one heading
  const auto end_heading = [&] {
    if (heading.size() >= kLeastHeading) {
      csv.append(out, std::exchange(cells, {}));
      csv.append_heading(out, std::exchange(heading, {}));
    }
    std::move(heading.begin(), heading.end(), std::back_inserter(cells));
    heading.clear();
  };
  for (std::size_t i = 0; i < layout.actions.size(); ++i) {
    const record::Action& action = layout.actions[i];
    if (!record::traits(action.kind).prints || action.kind == ActionKind::kPrintrow ||
        action.field_count == 0) {
      continue;
    }
    Csv::Cells more;
    add_values(more, fields, sources, layout, action, formats[i], bytes);
    if (!is_heading(action, more)) end_heading();
    Csv::Cells& to = is_heading(action, more) ? heading : cells;
    std::move(more.begin(), more.end(), std::back_inserter(to));
  }
  end_heading();
  csv.append(out, cells);
  for (const record::Action& action : layout.actions) {
    if (action.kind == ActionKind::kPrintrow) {
      append_row(out, csv, fields, layout, action, bytes);
    }
  }
}

}  // namespace dt::consumer
