// CSV has the data and not the layout: a printf() gives its values, so its text is not needed.

#include "consumer/structured/csv.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "consumer/structured/json_lines.h"
#include "consumer/structured/json_value.h"
#include "consumer/value/exact_text.h"
#include "consumer/value/memory.h"
#include "consumer/value/print.h"
#include "consumer/value/table.h"

namespace dt::consumer {
namespace {

using record::ActionKind;

void append_csv_text(std::string& out, std::string_view text) {
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

// No two columns have the same name: the second one is "NAME 2".
std::string header_of(const Csv::Cells& cells) {
  std::string header;
  std::map<std::string, std::size_t> used;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::string name = cells[i].is_expression ? plain_name(cells[i].name, i) : cells[i].name;
    if (const std::size_t count = ++used[name]; count > 1) name += ' ' + std::to_string(count);
    append_csv_text(header, name);
    header += ',';
  }
  return header + "drops\n";
}

std::string kinds_of(const Csv::Cells& cells) {
  std::string kinds;
  for (const Csv::Cell& one : cells) kinds += one.is_text ? 's' : 'd';
  return kinds;
}

// " LPORT" of `$local ? " LPORT" : ""` is LPORT.
std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

// The heading for a row of so many columns: without its empty texts, if there are too many of them.
Csv::Cells fitting(Csv::Cells heading, std::size_t columns) {
  if (heading.size() != columns) {
    std::erase_if(heading, [](const Csv::Cell& cell) { return trimmed(cell.text).empty(); });
  }
  return heading;
}

// A printf() of fewer texts is no heading.
constexpr std::size_t kLeastHeading = 2;

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_plain(std::string_view expression) {
  return expression.find_first_of("\"$@[?") == expression.npos &&
         expression.find("->") == expression.npos;
}

// Behind the string or the bracket that opens at `at`.
std::size_t behind(std::string_view text, std::size_t at) {
  if (text[at] == '"') {
    for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1 : 0;
    return std::min(at + 1, text.size());
  }
  std::size_t depth = 0;
  while (at < text.size()) {
    depth += text[at] == '[' ? 1 : 0;
    depth -= text[at] == ']' ? 1 : 0;
    at = text[at] == '"' ? behind(text, at) : at + 1;
    if (depth == 0) break;
  }
  return at;
}

// What a member is of: `this`, `args2`, or `((struct sock *)arg1)`.
void remove_owner(std::string& out) {
  while (!out.empty() && out.back() == ' ') out.pop_back();
  if (!out.empty() && out.back() == ')') {
    std::size_t depth = 0;
    do {
      depth += out.back() == ')' ? 1 : 0;
      depth -= out.back() == '(' ? 1 : 0;
      out.pop_back();
    } while (!out.empty() && depth > 0);
  }
  while (!out.empty() && is_of_name(out.back())) out.pop_back();
}

// Without texts, arguments of the script and keys; a member stands for the whole path to it.
std::string shortened(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const bool is_member =
        text.substr(i, 2) == "->" || (c == '.' && i > 0 && i + 1 < text.size() &&
                                      !std::isdigit(static_cast<unsigned char>(text[i + 1])));
    if (c == '"') {
      i = behind(text, i);
    } else if (c == '[') {
      const std::size_t end = behind(text, i);
      const std::string_view key = text.substr(i + 1, end - i - 2);
      if (key.find_first_not_of("0123456789") == key.npos) out += key;
      i = end;
    } else if (c == '$') {
      for (++i; i < text.size() && is_of_name(text[i]);) ++i;
    } else if (is_member) {
      remove_owner(out);
      i += c == '.' ? 1 : 2;
    } else {
      if (c != '@') out += c;
      ++i;
    }
  }
  return out;
}

// Its identifiers, each once.
std::string split_words(std::string_view text, std::string_view between) {
  std::vector<std::string> words;
  std::string one;
  for (const char c : std::string(text) + ' ') {
    if (is_of_name(c)) {
      one += c;
      continue;
    }
    const bool is_word = !one.empty() && std::isdigit(static_cast<unsigned char>(one[0])) == 0;
    if (is_word && std::find(words.begin(), words.end(), one) == words.end()) words.push_back(one);
    one.clear();
  }
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += between;
    out += word;
  }
  return out;
}

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
                  (cell.name.starts_with('$') ||
                   cell.name.find('"' + cell.text + '"') != std::string::npos);
         });
}

// The conversions of a format that show a value each, in their order; nullptr where a value is a
// width or a precision.
std::vector<const Piece*> pieces_with_values(const Format& format) {
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
  const std::vector<const Piece*> conversions = pieces_with_values(format);
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
    cells.push_back({value_name(sources, field), std::move(text), is_text(value), true});
    if (i >= conversions.size() || conversions[i] == nullptr) continue;
    if (is_hexadecimal(*conversions[i]) && form_of(value.type->kind) == ValueForm::kNumber) {
      cells.back().text = csv_in_unit(fields, *conversions[i], value);
    } else if (shows_otherwise(*conversions[i])) {
      cells.back().in_unit = csv_in_unit(fields, *conversions[i], value);
    }
  }
}

bool ends_line(const Format& format) {
  return !format.empty() && format.back().conversion == 0 && format.back().text.ends_with('\n');
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

void Csv::append(std::string& out, const Cells& cells, Layout layout) {
  append_begun(out);
  if (cells.empty()) return;
  const std::string header = header_of(cells), kinds = kinds_of(cells);
  if (Cells heading = fitting(std::exchange(waiting_, {}), cells.size());
      heading.size() == cells.size()) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string name = trimmed(heading[i].text);
      heading[i].is_expression = name.empty();
      heading[i].name = name.empty() ? cells[i].name : name;
    }
    headings_[header] = header_of(heading);
    if (layout == Layout::kAligned) aligned_[kinds] = headings_[header];
  }
  const auto named = headings_.find(header), aligned = aligned_.find(kinds);
  const bool is_aligned = layout == Layout::kAligned && aligned != aligned_.end();
  if (named == headings_.end() && !is_aligned) return append_row(out, header, cells);
  Cells shown = cells;
  for (Cell& one : shown) {
    if (!one.in_unit.empty()) one.text = std::move(one.in_unit);
  }
  append_row(out, named != headings_.end() ? named->second : aligned->second, shown);
}

void Csv::append_heading(std::string& out, Cells cells) {
  append_begun(out);
  waiting_ = std::move(cells);
}

void Csv::begin_row(std::string& out, Cells cells) {
  append_begun(out);
  begun_ = std::move(cells);
}

Csv::Cells Csv::take_begun() { return std::exchange(begun_, {}); }

void Csv::append_begun(std::string& out) {
  if (const Cells cells = take_begun(); !cells.empty()) append(out, cells);
}

void Csv::append_row(std::string& out, const std::string& header, const Cells& cells) {
  append_table(out, header);
  for (const Cell& one : cells) {
    append_csv_text(out, one.is_text && is_taken_for_formula(one.text) ? "'" + one.text : one.text);
    out += ',';
  }
  append_drops(out);
}

void Csv::append_lost(std::string& out) {
  append_begun(out);
  // Nothing has come behind a heading: the table is empty.
  if (Cells heading = fitting(std::exchange(waiting_, {}), 0); !heading.empty()) {
    for (Cell& one : heading) {
      one.name = trimmed(one.text);
      one.is_expression = false;
    }
    append_table(out, header_of(heading));
  }
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

std::string plain_name(std::string_view expression, std::size_t position) {
  if (is_plain(expression)) return std::string(expression);
  std::string name;
  if (const std::size_t choice = expression.find('?'); choice != expression.npos) {
    name = split_words(shortened(expression.substr(choice + 1)), " or ");
    if (name.empty()) name = split_words(shortened(expression.substr(0, choice)), " ");
  } else {
    name = trimmed(shortened(expression));
    const bool is_cut = expression.find_first_of("\"$") != expression.npos;
    if (is_cut || !is_plain(name)) name = split_words(name, " ");
  }
  return name.empty() ? "column " + std::to_string(position + 1) : name;
}

Csv::Layout layout_of(const Format& format) {
  const bool is_aligned =
      !format.empty() && std::all_of(format.begin(), format.end(), [](const Piece& piece) {
        return piece.text.find_first_not_of(" \n") == std::string::npos;
      });
  return is_aligned ? Csv::Layout::kAligned : Csv::Layout::kOther;
}

std::string csv_in_unit(FieldText& fields, Piece piece, const Value& value) {
  std::string text;
  piece.width = 0;
  piece.width_argument = false;
  piece.alternate = false;
  fields.append_conversion(text, piece, value);
  return is_hexadecimal(piece) && !text.starts_with("0x") ? "0x" + text : text;
}

std::size_t append_csv(std::string& out, Csv& csv, FieldText& fields, const Sources& sources,
                       const record::Layout& layout, std::span<const Format> formats, Bytes bytes,
                       std::size_t begin) {
  Csv::Cells cells, heading;  // several printf() may make one heading
  Csv::Layout row = Csv::Layout::kAligned;
  bool is_open = false;  // the last printf() has not ended its line
  bool has_values = false;
  bool has_printa = false;
  std::size_t end = begin;
  const auto end_row = [&] {
    if (has_values && !cells.empty()) csv.append(out, cells, row);  // a text alone is left out
    cells.clear();
  };
  const auto end_heading = [&] {
    if (heading.size() >= kLeastHeading) {
      end_row();
      csv.append_heading(out, std::exchange(heading, {}));
    }
    std::move(heading.begin(), heading.end(), std::back_inserter(cells));
    heading.clear();
  };
  for (; end < layout.actions.size(); ++end) {
    const record::Action& action = layout.actions[end];
    if (!record::traits(action.kind).prints || action.kind == ActionKind::kPrintrow) continue;
    has_printa |= action.kind == ActionKind::kPrinta;
    if (action.kind == ActionKind::kPrinta && is_open) {
      end_heading();
      if (has_values) csv.begin_row(out, cells);
      cells.clear();
    }
    const bool begins_line = !is_open;
    is_open = action.kind == ActionKind::kPrintf && !ends_line(formats[end]);
    if (action.field_count == 0) continue;
    Csv::Cells more;
    add_values(more, fields, sources, layout, action, formats[end], bytes);
    const bool is_more_heading = is_heading(action, more);
    if (has_printa && is_more_heading && begins_line) break;
    if (!is_more_heading || (!heading.empty() && begins_line)) end_heading();
    if (!is_more_heading) {
      has_values = true;
      if (layout_of(formats[end]) == Csv::Layout::kOther) row = Csv::Layout::kOther;
    }
    Csv::Cells& to = is_more_heading ? heading : cells;
    std::move(more.begin(), more.end(), std::back_inserter(to));
  }
  end_heading();
  end_row();
  for (std::size_t i = begin; i < end; ++i) {
    if (layout.actions[i].kind == ActionKind::kPrintrow) {
      append_row(out, csv, fields, layout, layout.actions[i], bytes);
    }
  }
  return end;
}

}  // namespace dt::consumer
