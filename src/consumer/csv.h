#pragma once
// -x oformat=csv: what was recorded, as tables that other programs read (RFC 4180, but lines end
// with a newline alone). A line with the names of the columns stands before the first row, and,
// after an empty line, again wherever they change.

#include <string>
#include <string_view>
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

  // Nothing for no cells.
  void append(std::string& out, const Cells& cells);

 private:
  std::string header_;  // the last one
};

// A value as the text of a cell: numbers and bytes (in hexadecimal) exact, frames of stacks
// separated by ';'.
std::string csv_text(FieldText& fields, const Value& value);

// The rows of a record: one of all that its actions have recorded, and one of each printrow().
void append_csv(std::string& out, Csv& csv, FieldText& fields, const Sources& sources,
                const record::Layout& layout, Bytes bytes);

}  // namespace dt::consumer
