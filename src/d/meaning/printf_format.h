#pragma once
// The formats of printf() and printa() (record/printf_format.h), as far as the compiler needs
// to know them: which conversions D knows and what they take.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/printf_format.h"

namespace dt::d {

struct Conversion : record::FormatPiece {};

struct FormatError {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string text;
  std::string hint = {};
};

struct Format {
  std::vector<Conversion> conversions;  // without %%
  std::optional<FormatError> error;
};

Format parse_format(std::string_view text);

// "int", "string or char []", ...: what a conversion takes, for messages.
const char* conversion_prototype(const Conversion& conversion);

}  // namespace dt::d
