#pragma once
// The columns of printrow(): each has a name and, behind a blank, perhaps the conversion by which
// its values are shown: "PID", "COMM %-16s", "LAT(ms) %{ms}.3f". Action::format has them one on
// each line.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/printf_format.h"

namespace dt::record {

struct Column {
  std::string name;
  FormatPiece piece;  // conversion 0: as its type wants
};

// Nothing for a text that is no column: without a name, with a control character, or with more than
// one conversion at its end.
std::optional<Column> parse_column(std::string_view text);

// A line that is no column is a name.
std::vector<Column> parse_columns(std::string_view format);

}  // namespace dt::record
