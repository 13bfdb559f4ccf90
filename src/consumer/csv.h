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

#include "consumer/format.h"
#include "consumer/value.h"
#include "record/layout.h"
#include "support/source.h"

namespace dt::consumer {

class Csv {
 public:
  struct Cell {
    std::string name;  // of its column
    std::string text;
    bool is_text = false;  // of what is traced, which may be anything
    // What a heading names: `%{ms}.3f` shows ms where the value is ns. Empty: the text.
    std::string in_unit = {};
  };
  using Cells = std::vector<Cell>;

  // Behind a table that the output has already: its rows go on if the columns are the same.
  void follow(std::string header) { header_ = std::move(header); }
  // Nothing for no cells.
  void append(std::string& out, const Cells& cells);
  // A row of texts that stand in the script: the next table has these names, if it has as many
  // columns; otherwise the row is one like others.
  void append_heading(std::string& out, Cells cells);

  void lost(std::uint64_t count) { lost_ += count; }
  // A heading without a table, and what was lost behind the last row as a table of its own.
  void append_lost(std::string& out);

 private:
  void append_row(std::string& out, const std::string& header, const Cells& cells);
  void append_waiting(std::string& out);
  // The header, unless the last table has it.
  void append_table(std::string& out, std::string header);
  void append_drops(std::string& out);

  std::string header_;  // the last one
  Cells waiting_;       // a heading, until it is known what comes behind it
  // The header that a heading gave to a table, by the header that the table would have.
  std::map<std::string, std::string> headings_;
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

// Whether a conversion shows another value than what was recorded: in a unit, or an address by its
// name.
inline bool shows_otherwise(const Piece& piece) {
  return piece.divisor != 0 || piece.conversion == 'a' || piece.conversion == 'A';
}
// As the conversion shows it, without padding.
std::string csv_in_unit(FieldText& fields, Piece piece, const Value& value);

// The rows of a record: one of all that its actions have recorded, and one of each printrow().
void append_csv(std::string& out, Csv& csv, FieldText& fields, const Sources& sources,
                const record::Layout& layout, std::span<const Format> formats, Bytes bytes);

}  // namespace dt::consumer
