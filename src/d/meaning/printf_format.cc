// See printf_format.h.

#include "d/meaning/printf_format.h"

#include <fmt/core.h>

namespace dt::d {
namespace {

// Whether a letter takes the size prefix.
bool takes_prefix(char letter, std::string_view prefix) {
  if (prefix.empty()) {
    return true;
  }
  const auto one_of = [letter](std::string_view letters) {
    return letters.find(letter) != std::string_view::npos;
  };
  if (prefix == "h") {
    return one_of("dioxXu");
  }
  if (prefix == "l") {
    return one_of("dioxXucs");
  }
  if (prefix == "ll") {
    return one_of("dioxXu");
  }
  if (prefix == "L") {
    return one_of("eEfgG");
  }
  return prefix == "w" && one_of("cs");
}

}  // namespace

Format parse_format(std::string_view text) {
  Format out;
  record::ParsedFormat parsed = record::parse_format(text);
  std::optional<record::FormatError> error = parsed.error;
  for (record::FormatPiece& one : parsed.pieces) {
    if (one.conversion == 0 || (error && one.begin > error->begin)) {
      break;
    }
    if (!takes_prefix(one.conversion, one.size)) {
      error = record::FormatError{record::FormatError::Kind::kUnknown, one.begin, one.end};
      break;
    }
    out.conversions.push_back({std::move(one)});
  }
  if (!error) {
    return out;
  }
  out.error = FormatError{error->begin, error->end,
                          "incomplete conversion at the end of the format string"};
  const std::string_view shown = text.substr(error->begin, error->end - error->begin);
  switch (error->kind) {
    case record::FormatError::Kind::kIncomplete:
      break;
    case record::FormatError::Kind::kUnknown:
      out.error->text = fmt::format("conversion #{} ({}) is not one that D knows",
                                    out.conversions.size() + 1, shown);
      break;
    case record::FormatError::Kind::kNumber: {
      const std::size_t begin = shown.find('{') + 1;
      const std::string_view name = shown.substr(begin, shown.find('}') - begin);
      out.error->text = fmt::format("conversion #{} ({}) is of a number, which %{} does not show",
                                    out.conversions.size() + 1, shown, shown.back());
      out.error->hint =
          fmt::format("%{{{}}}{} shows it", name, name.starts_with("load") ? ".2f" : "d");
      break;
    }
    case record::FormatError::Kind::kModifier:
      out.error->text = fmt::format("conversion #{} ({}) has a modifier that it cannot have",
                                    out.conversions.size() + 1, shown);
      out.error->hint =
          "%{ms}.3f shows ns in ms (also us s min h KiB MiB GiB TiB or a number), "
          "%{%H:%M:%S}Y a time, and in printa() %@{p99}d a percentile of a histogram; %{load1}.2f "
          "is a number of the machine (also load5 load15 running threads cpus uptime memfree "
          "memavailable memtotal swapfree swaptotal lines columns), %{fit}s ends with the line";
      break;
  }
  return out;
}

const char* conversion_prototype(const Conversion& conversion) {
  switch (conversion.conversion) {
    case 'a':
    case 'A':
    case 'p':
      return "pointer or integer";
    case 'c':
    case 'C':
      return "char, short or int";
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      if (conversion.divisor != 0) {
        return "integer";
      }
      return "float, double or long double";
    case 'I':
      return "string";
    case 'k':
      return "stack";
    case 's':
    case 'S':
      return "char [] or string (or use stringof)";
    case 'T':
    case 'Y':
      return "int64_t";
    default:
      break;
  }
  if (conversion.size.empty()) {
    return "char, short, int, long or long long";
  }
  return conversion.size == "h" ? "short" : conversion.size == "l" ? "long" : "long long";
}

}  // namespace dt::d
