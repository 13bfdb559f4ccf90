#pragma once
// The formats of printf() and printa(), as far as the
// compiler needs to know them: which conversions there are and what they take.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt::d {

struct Conversion {
  std::uint32_t begin = 0;         // offset of '%' in the format
  std::uint32_t end = 0;           // past the conversion letter
  bool aggregation = false;        // %@d
  bool dynamic_width = false;      // %*d
  bool dynamic_precision = false;  // %.*d
  std::string prefix;              // "", "h", "l", "ll", "L" or "w"
  char letter = 0;

  // What it converts: "d", "lld".
  std::string name() const { return prefix + letter; }
};

struct FormatError {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string text;
};

struct Format {
  std::vector<Conversion> conversions;  // without %%
  std::optional<FormatError> error;
};

Format parse_format(std::string_view text);

// "int", "string or char []", ...: what a conversion takes, for messages.
const char* conversion_prototype(const Conversion& conversion);

}  // namespace dt::d
