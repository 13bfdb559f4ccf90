#pragma once
// -x oformat=csv: what was recorded, as tables that other programs read (RFC 4180, but lines end
// with a newline alone). A line with the names of the columns stands before the first row, and,
// after an empty line, again wherever they change.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "consumer/value.h"
#include "record/layout.h"
#include "support/source.h"

namespace dt::consumer {

class Csv {
 public:
  struct Cell {
    std::string name;  // of its column
    std::string text;
  };
  using Cells = std::vector<Cell>;

  // Behind a table that the output has already: its rows go on if the columns are the same.
  void follow(std::string header) { header_ = std::move(header); }
  // Nothing for no cells.
  void append(std::string& out, const Cells& cells);

 private:
  std::string header_;  // the last one
};

// The header of the last table of a text, with its newline; empty if there is none.
std::string last_header(std::string_view text);

// A value as the text of a cell: numbers and bytes (in hexadecimal) exact, frames of stacks
// separated by ';'.
std::string csv_text(FieldText& fields, const Value& value);

// The rows of a record: one of all that its actions have recorded, and one of each printrow().
void append_csv(std::string& out, Csv& csv, FieldText& fields, const Sources& sources,
                const record::Layout& layout, Bytes bytes);

}  // namespace dt::consumer
