#pragma once
// Rows of printrow() as text: columns are as wide as what was printed in them, and the header
// stands before the first row, and again when rows of another table came between.
//
//   PID     COMM             LAT(ms)
//       412 sshd               0.123

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "consumer/value/value.h"
#include "record/layout.h"

namespace dt::consumer {

// What a column shows of a value, without padding: on one line, whatever was traced.
std::string cell(FieldText& fields, const record::Column& column, const Value& value);

class Tables {
 public:
  explicit Tables(FieldText& fields) : fields_(fields) {}

  // Appends the row of a printrow(). All printrow()s with the same columns are one table.
  void append_row(std::string& out, const record::Action& action, std::span<const Value> values);
  // The next row has a header.
  void begin_again() { last_.clear(); }

 private:
  struct Width {
    std::size_t columns = 0;
    bool is_left = false;
  };
  struct Table {
    std::vector<Width> widths;
  };
  static void append_line(std::string& out, const Table& table,
                          const std::vector<std::string>& cells);

  FieldText& fields_;
  std::unordered_map<std::string, Table> tables_;  // by format
  std::string last_;  // the format of the table that the last row belongs to
};

}  // namespace dt::consumer
