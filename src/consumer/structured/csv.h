#pragma once
// -x oformat=csv: what was recorded, as tables that other programs read (RFC 4180, but lines end
// with a newline alone). A line with the names of the columns stands before the first row, and,
// after an empty line, again wherever they change. The last column, `drops`, says how much was lost
// since the row before.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "consumer/value/format.h"
#include "consumer/value/value.h"
#include "record/layout.h"
#include "support/source.h"

namespace dt::consumer {

class Csv {
 public:
  struct Cell {
    std::string name;  // of its column
    std::string text;
    bool is_text = false;  // of what is traced, which may be anything
    bool is_expression =
        false;  // the name is one of the script: its column gets plain_name() of it
    // What a heading names: `%{ms}.3f` shows ms where the value is ns. Empty: the text.
    std::string in_unit = {};
  };
  using Cells = std::vector<Cell>;
  // kAligned: by a format of nothing but conversions and blanks, as rows stand under a heading.
  enum class Layout : std::uint8_t { kOther, kAligned };

  // Behind a table that the output has already: its rows go on if the columns are the same.
  void follow(std::string header) { header_ = std::move(header); }
  // Nothing for no cells. An aligned row belongs to the last heading whose rows have the same kinds
  // of values, whatever its expressions are.
  void append(std::string& out, const Cells& cells, Layout layout = Layout::kOther);
  // Texts that stand in the script: the next table has these names, if it has as many columns.
  // They are never a row; without any row behind them, they are a table without rows.
  void append_heading(std::string& out, Cells cells);
  // The beginning of a line that a printa() goes on with: a row of its own, unless taken.
  void begin_row(std::string& out, Cells cells);
  Cells take_begun();

  void lost(std::uint64_t count) { lost_ += count; }
  // A heading without a table, and what was lost behind the last row as a table of its own.
  void append_lost(std::string& out);

 private:
  void append_row(std::string& out, const std::string& header, const Cells& cells);
  void append_begun(std::string& out);
  // The header, unless the last table has it.
  void append_table(std::string& out, std::string header);
  void append_drops(std::string& out);

  std::string header_;  // the last one
  Cells waiting_;       // a heading, until it is known what comes behind it
  Cells begun_;
  // The header that a heading gave to a table, by the header that the table would have.
  std::map<std::string, std::string> headings_;
  std::map<std::string, std::string> aligned_;  // the same, by the kinds of the values
  std::uint64_t lost_ = 0;
};

// Finds the header of the last table of a text that comes in parts of any size.
class LastHeader {
 public:
  void add(std::string_view part);
  // With its newline; empty if there is none.
  std::string text() const { return is_whole_ ? header_ : ""; }

 private:
  // A longer one is none that we wrote: it is not followed.
  static constexpr std::size_t kMostBytes = 1 << 20;

  std::string header_;
  bool is_whole_ = false, is_quoted_ = false;  // in quotes, newlines are a cell's own
  char last_ = 0;
};

// Whether the value is text that came from what is traced.
bool is_text(const Value& value);

// A value as the text of a cell: numbers and bytes (in hexadecimal) exact, frames of stacks
// separated by ';'.
std::string csv_text(FieldText& fields, const Value& value);

// The name of the column at this position, from 0, of an expression: itself if it is plain, or else
// its words without those that only choose: `args[2]->ip_saddr` is ip_saddr, `$f ? probefunc :
// "all"` is probefunc, and a text of the script is "column 1".
std::string plain_name(std::string_view expression, std::size_t position);

// Whether the format is a table: nothing but conversions and blanks.
Csv::Layout layout_of(const Format& format);

// Whether a conversion shows another value than what was recorded: in a unit, or an address by its
// name.
inline bool shows_otherwise(const Piece& piece) {
  return piece.divisor != 0 || piece.conversion == 'a' || piece.conversion == 'A';
}
// An address or a set of bits is hexadecimal also where no heading names it.
inline bool is_hexadecimal(const Piece& piece) {
  return piece.conversion == 'x' || piece.conversion == 'X' || piece.conversion == 'p';
}
// As the conversion shows it, without padding; a hexadecimal number begins with 0x.
std::string csv_in_unit(FieldText& fields, Piece piece, const Value& value);

// The rows of a record, from action `begin` on: one of all that its actions have recorded, and one
// of each printrow(). It ends before a heading that stands behind a printa(), whose rows come
// first, and returns the number of this action, or how many there are.
std::size_t append_csv(std::string& out, Csv& csv, FieldText& fields, const Sources& sources,
                       const record::Layout& layout, std::span<const Format> formats, Bytes bytes,
                       std::size_t begin = 0);

}  // namespace dt::consumer
