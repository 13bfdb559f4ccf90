// A conversion is checked against the type of its argument when the program is compiled, where C
// leaves it to luck: "%s" needs a string, "%d" an integer of any size, "%p" an address. printf()
// with "%@" takes an aggregation's value, and only in printa().

#include "d/check/formats.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "d/check/field_type.h"
#include "d/check/tables.h"
#include "d/check/wording.h"
#include "d/meaning/printf_format.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

namespace {

// How many characters of the text are one of the value: 1, or those of an escape (\n, \x1b, \033).
std::size_t length_of_one(std::string_view text) {
  if (text.size() < 2 || text[0] != '\\') {
    return 1;
  }
  const bool is_hex = text[1] == 'x';
  const std::string_view digits = is_hex ? "0123456789abcdefABCDEF" : "01234567";
  const std::size_t first = is_hex ? 2 : 1;
  const std::size_t end = std::min(text.find_first_not_of(digits, first), text.size());
  return end == first ? 2 : is_hex ? end : std::min<std::size_t>(end, 4);
}

// The place of [begin, end) of a string's value in the text of the script, so that a caret stands
// under the conversion; the whole string where the text is something else, such as a macro
// argument.
Span inside(const Sources& sources, const Expr* string, std::uint32_t begin, std::uint32_t end) {
  const std::string_view text = sources.text(string->span);
  std::vector<std::uint32_t> places;  // by character of the value, and of its end
  for (std::size_t at = 1; at < text.size(); at += length_of_one(text.substr(at))) {
    places.push_back(static_cast<std::uint32_t>(at));
  }
  if (text.empty() || text[0] != '"' || places.size() != string->text.size() + 1) {
    return string->span;
  }
  return Span{string->span.source, string->span.begin + places[begin],
              string->span.begin + places[end]};
}

}  // namespace

namespace {

// Whether a key of this field type can be shown by the conversion. printa() has keys whose types
// the author of the format does not see, so %a shows a key that is an address as a name.
bool key_accepts(const Conversion& conversion, const record::FieldType& field) {
  const char letter = conversion.conversion;
  switch (field.kind) {
    case record::FieldKind::kInt:
      return conversion.divisor != 0 ||
             std::string_view("aAcCdiopPTuxXY").find(letter) != std::string_view::npos;
    case record::FieldKind::kString:
    case record::FieldKind::kBytes:
    case record::FieldKind::kProbeProv:
    case record::FieldKind::kProbeMod:
    case record::FieldKind::kProbeFunc:
    case record::FieldKind::kProbeName:
      return letter == 's' || letter == 'S' || letter == 'I';
    case record::FieldKind::kStack:
    case record::FieldKind::kUstack:
      return letter == 'k';
    case record::FieldKind::kSym:
    case record::FieldKind::kMod:
      return letter == 'a' || letter == 's' || letter == 'p';
    case record::FieldKind::kErrnoName:
    case record::FieldKind::kSignalName:
    case record::FieldKind::kSyscallName:
    case record::FieldKind::kUserName:
    case record::FieldKind::kGroupName:
      return letter == 's' || letter == 'S' || letter == 'a';
    case record::FieldKind::kUaddr:
    case record::FieldKind::kUsym:
    case record::FieldKind::kUmod:
      return letter == 'A' || letter == 'a' || letter == 's' || letter == 'p';
  }
  return false;
}

}  // namespace

// The letter says which kind of type, a prefix of an integer which size: `h` is
// a short, `l` and `ll` are longs.
bool Formats::conversion_accepts(const Conversion& conversion, const Expr* argument) const {
  const types::TypeId type = argument->type;
  const types::Kind kind = rules_.kind(type);
  if (conversion.divisor != 0) {
    return rules_.is_integer(type);
  }
  switch (conversion.conversion) {
    case 'a':
      return rules_.is_scalar(type) || kind == types::Kind::kSymbol ||
             kind == types::Kind::kUserSymbol;
    case 'A':
      return rules_.is_scalar(type) || kind == types::Kind::kUserSymbol;
    case 'p':
      return rules_.is_scalar(type);
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return rules_.is_float(type);
    case 'k':
      return kind == types::Kind::kStack;
    case 's':
    case 'S':
      return rules_.is_string_like(type) || rules_.is_char_array(type) ||
             kind == types::Kind::kSymbol || kind == types::Kind::kUserSymbol;
    case 'I':
      return rules_.is_string_like(type);
    case 'c':
    case 'C':
      return rules_.is_integer(type);
    default:
      return rules_.is_integer(type) &&
             (conversion.size.empty() ||
              rules_.size(type) == (conversion.size == "h" ? sizeof(short) : sizeof(long)));
  }
}

// A number where a string is wanted is mostly the address of the string.
std::string Formats::value_hint(const Conversion& conversion, const Expr* argument) const {
  const bool is_text = conversion.conversion == 's' || conversion.conversion == 'S';
  if (!is_text || !rules_.is_scalar(argument->type) || argument->is_char) {
    return quotes_hint(argument);
  }
  const std::string_view written = sources_.text(argument->span);
  if (rules_.kind(argument->type) == types::Kind::kEnum) {
    return fmt::format("print({}) shows the enumerator's name, and %d its number", written);
  }
  const bool is_argument =
      written.size() == 4 && written.starts_with("arg") && written[3] >= '0' && written[3] <= '9';
  if (rules_.is_userland_pointer(argument->type)) {
    return fmt::format("copyinstr({}) is the string at this address of the process", written);
  }
  if (rules_.is_pointer(argument->type)) {
    return fmt::format("stringof({}) is the string at this address of the kernel", written);
  }
  return is_argument ? fmt::format(
                           "if it is an address, copyinstr({0}) is the string there in the "
                           "process, and stringof((char *){0}) in the kernel",
                           written)
                     : "%d shows a number";
}

// The values of `*`, from args[next] on; `number` is that of the conversion.
bool Formats::dynamic_arguments(const Expr* e, std::size_t number, const Conversion& conversion,
                                Span span, std::size_t& next) {
  for (const bool dynamic : {conversion.width_argument, conversion.precision_argument}) {
    if (!dynamic) {
      continue;
    }
    if (next >= e->args.size()) {
      error("D_PRINTF_DYN_PROTO", span,
            fmt::format("{}( ) prototype mismatch: conversion #{} (%{}) is missing a "
                        "corresponding \"*\" argument",
                        e->text, number, conversion.name()));
      return false;
    }
    const Expr* argument = e->args[next++];
    if (!rules_.is_integer(argument->type)) {
      error("D_PRINTF_DYN_TYPE", argument->span,
            fmt::format("{}( ) argument #{} is incompatible with conversion #{} prototype:\n"
                        "\tconversion: *\n\t prototype: int\n\t  argument: {}",
                        e->text, next, number, type_name(argument)));
      return false;
    }
  }
  return true;
}

// The format of printf(), a constant; nothing if it is wrong (reported).
std::optional<Format> Formats::constant_format(const Expr* e) {
  const Expr* format = e->args[0];
  if (format->kind != ExprKind::kString) {
    error("D_PRINTF_ARG_FMT", format->span,
          fmt::format("{}( ) argument #1 is incompatible with prototype:\n\tprototype: string "
                      "constant\n\t argument: {}",
                      e->text, type_name(format)));
    return std::nullopt;
  }
  if (format->text.empty()) {
    error("D_PRINTF_FMT_EMPTY", format->span, fmt::format("{}( ) format string is empty", e->text));
    return std::nullopt;
  }
  Format parsed = parse_format(format->text);
  if (parsed.error) {
    error("D_SYNTAX", inside(sources_, format, parsed.error->begin, parsed.error->end),
          parsed.error->text)
        .hint = parsed.error->hint;
    return std::nullopt;
  }
  return parsed;
}

// Whether the conversion, the `number`th of the format, has a value that it can print: args[next],
// of which `next` goes on.
bool Formats::printf_value(const Expr* e, std::size_t number, const Conversion& conversion,
                           Span span, std::size_t& next) {
  if (next >= e->args.size()) {
    error("D_PRINTF_ARG_PROTO", span,
          fmt::format("{}( ) prototype mismatch: conversion #{} (%{}) is missing a corresponding "
                      "value argument",
                      e->text, number, conversion.name()));
    return false;
  }
  const Expr* argument = e->args[next++];
  if (conversion_accepts(conversion, argument)) {
    return true;
  }
  error("D_PRINTF_ARG_TYPE", argument->span,
        fmt::format("{}( ) argument #{} is incompatible with conversion #{} prototype:\n"
                    "\tconversion: %{}\n\t prototype: {}\n\t  argument: {}",
                    e->text, next, number, conversion.name(), conversion_prototype(conversion),
                    type_name(argument)))
      .hint = value_hint(conversion, argument);
  return false;
}

void Formats::printf(Expr* e) {
  const Expr* format = e->args[0];
  const std::optional<Format> parsed = constant_format(e);
  if (!parsed) {
    return;
  }
  std::size_t next = 1;
  std::vector<std::pair<std::size_t, Expr*>> supplied;  // and where they stand among the arguments
  for (std::size_t i = 0; i < parsed->conversions.size(); ++i) {
    const Conversion& conversion = parsed->conversions[i];
    const Span span = inside(sources_, format, conversion.begin, conversion.end);
    if (conversion.aggregation) {
      error("D_PRINTF_AGG_CONV", span,
            fmt::format("{}( ) conversion #{} (%@{}) is for printa( ) only", e->text, i + 1,
                        conversion.name()));
      return;
    }
    if (!dynamic_arguments(e, i + 1, conversion, span, next)) {
      return;
    }
    if (conversion.supply != record::Supply::kNone) {
      supplied.emplace_back(next + supplied.size(), supplied_value(format, conversion));
      continue;
    }
    if (!printf_value(e, i + 1, conversion, span, next)) {
      return;
    }
  }
  if (next < e->args.size()) {
    error("D_PRINTF_ARG_EXTRA", e->args[next]->span,
          fmt::format("{}( ) prototype mismatch: only {} argument{} required by this format string",
                      e->text, next - 1, next - 1 == 1 ? "" : "s"));
    return;
  }
  for (const auto& [at, value] : supplied) {
    e->args.insert(e->args.begin() + static_cast<std::ptrdiff_t>(at), value);
  }
}

// A number of the machine is a value of the record as the script's own are. The consumer writes it
// there (consumer/supply.h), and until then it is 0. Its name is the modifier's.
Expr* Formats::supplied_value(const Expr* format, const Conversion& conversion) {
  const auto begin = static_cast<std::uint32_t>(format->text.find('{', conversion.begin) + 1);
  const auto end = static_cast<std::uint32_t>(
      std::min(format->text.find_first_of(",}", begin), format->text.size()));
  Expr* const value = arena_.expr();
  value->kind = ExprKind::kInt;
  value->span = inside(sources_, format, begin, end);
  value->type = world_.types.integer(8, true);
  value->is_constant = true;
  return value;
}

// The aggregations from args[first] on: each exists, and has the keys of the first.
bool Formats::printa_aggregations(Expr* e, std::size_t first) {
  for (std::size_t i = first; i < e->args.size(); ++i) {
    Expr* argument = e->args[i];
    if (argument->kind != ExprKind::kAggregation) {
      error("D_PRINTA_AGGARG", argument->span,
            fmt::format("printa( ) argument #{} is incompatible with prototype:\n\tprototype: "
                        "aggregation{}\n\t argument: {}",
                        i + 1, i == 0 ? " or string constant" : "",
                        bad(argument) ? "expression" : type_name(argument)));
      return false;
    }
    if (!argument->args.empty()) {
      error("D_PRINTA_AGGKEY", argument->span, "printa( ) aggregation argument must not have keys");
      return false;
    }
    const auto found = tables_.find_aggregation(argument->text);
    if (!found) {
      error("D_PRINTA_AGGBAD", argument->span,
            fmt::format("undefined aggregation: @{}", shown_name(argument->text)));
      return false;
    }
    argument->index = *found;
    if (!tables_.aggregation(*found).has_function) {
      return false;  // reported where it should have got one
    }
    const std::size_t keys = tables_.aggregation(*found).keys.size();
    const std::size_t wanted = tables_.aggregation(e->args[first]->index).keys.size();
    if (keys != wanted) {
      error("D_PRINTA_AGGKEY", argument->span,
            fmt::format("printa( ) @{} and @{} do not have the same number of keys: {} and {}",
                        e->args[first]->text, argument->text, wanted, keys));
      return false;
    }
    const bool same = tables_.have_same_keys(argument->index, e->args[first]->index);
    tables_.join_keys(e->args[first]->index, argument->index);
    if (!same) {
      error("D_PRINTA_AGGPROTO", argument->span,
            fmt::format("printa( ) @{} and @{} do not have the same keys", e->args[first]->text,
                        argument->text));
      return false;
    }
  }
  return true;
}

// Whether a conversion shows a number of 64 bits, as the value of an aggregation is one.
bool shows_value(const Conversion& conversion) {
  return std::string_view("sSkI").find(conversion.conversion) == std::string_view::npos &&
         conversion.size != "h";
}

// The value of an aggregation, for the conversion of this number. Only a histogram has percentiles;
// and it is a picture, unless one of its numbers is asked for.
bool Formats::printa_value(const Expr* e, std::size_t number, const Conversion& conversion,
                           Span span, std::size_t position) {
  if (!shows_value(conversion)) {
    error("D_PRINTF_ARG_TYPE", span,
          fmt::format("printa( ) value is incompatible with conversion #{} prototype:\n"
                      "\tconversion: %@{}\n\t prototype: {}\n\t     value: int64_t",
                      number, conversion.name(), conversion_prototype(conversion)))
        .hint = "use %@d for the value";
    return false;
  }
  const std::size_t at = std::min(position + 1, e->args.size() - 1);
  const bool is_histogram = record::is_histogram(tables_.aggregation(e->args[at]->index).func);
  const bool is_number = conversion.of_histogram();
  if (conversion.modifier.empty() || is_histogram == is_number) {
    return true;
  }
  const std::string name = shown_name(e->args[at]->text);
  error("D_PRINTF_ARG_TYPE", span,
        is_histogram ? fmt::format("printa( ) shows @{} as a picture, which has no unit", name)
                     : fmt::format("printa( ) @{} is no histogram: it has no percentiles", name))
      .hint = is_histogram ? "%@{p50,ms}.3f shows a percentile of it"
                           : "quantize(), lquantize() and llquantize() make histograms";
  return false;
}

// Takes the keys that a conversion has for its width and precision; false when they are none
// (reported).
bool Formats::dynamic_keys(const std::vector<AggregationKey>& keys, std::size_t number,
                           const Conversion& conversion, Span span, std::size_t& next) {
  for (const bool dynamic : {conversion.width_argument, conversion.precision_argument}) {
    if (!dynamic) {
      continue;
    }
    if (next >= keys.size() || keys[next].field.kind != record::FieldKind::kInt) {
      const bool is_missing = next >= keys.size();
      error(is_missing ? "D_PRINTF_DYN_PROTO" : "D_PRINTF_DYN_TYPE", span,
            is_missing
                ? fmt::format("printa( ) prototype mismatch: conversion #{} (%{}) is missing a "
                              "corresponding \"*\" key, an integer",
                              number, conversion.name())
                : fmt::format("printa( ) key #{} is incompatible with conversion #{} prototype:\n"
                              "\tconversion: *\n\t prototype: int\n\t       key: {}",
                              next + 1, number, rules_.name(keys[next].type)));
      return false;
    }
    ++next;
  }
  return true;
}

// The format's conversions are for the keys, in order, and with @ for values.
void Formats::printa_format(const Expr* e) {
  const Expr* format = e->args[0];
  const Format parsed = parse_format(format->text);
  if (parsed.error) {
    error("D_SYNTAX", inside(sources_, format, parsed.error->begin, parsed.error->end),
          parsed.error->text)
        .hint = parsed.error->hint;
    return;
  }
  const auto& keys = tables_.aggregation(e->args[1]->index).keys;
  std::size_t next = 0;
  std::size_t values = 0;
  for (std::size_t i = 0; i < parsed.conversions.size(); ++i) {
    const Conversion& conversion = parsed.conversions[i];
    const Span span = inside(sources_, format, conversion.begin, conversion.end);
    if (!dynamic_keys(keys, i + 1, conversion, span, next)) {
      return;
    }
    if (conversion.aggregation) {
      if (!printa_value(e, i + 1, conversion, span, values++)) {
        return;
      }
      continue;
    }
    if (conversion.supply != record::Supply::kNone) {
      error("D_PRINTF_ARG_TYPE", span,
            fmt::format("printa( ) conversion #{} shows a number of the machine, which is for "
                        "printf( ) only",
                        i + 1));
      return;
    }
    if (next >= keys.size()) {
      error("D_PRINTF_ARG_PROTO", span,
            fmt::format("printa( ) prototype mismatch: conversion #{} (%{}) is missing a "
                        "corresponding value argument",
                        i + 1, conversion.name()))
          .hint =
          conversion.name() == "s" ? "" : fmt::format("use %@{} for the value", conversion.name());
      return;
    }
    if (!key_accepts(conversion, keys[next].field)) {
      error("D_PRINTF_ARG_TYPE", span,
            fmt::format("printa( ) key #{} is incompatible with conversion #{} prototype:\n"
                        "\tconversion: %{}\n\t prototype: {}\n\t       key: {}",
                        next + 1, i + 1, conversion.name(), conversion_prototype(conversion),
                        rules_.name(keys[next].type)));
      return;
    }
    ++next;
  }
}

// printa(@a, ...) and printa(format, @a, ...).
void Formats::printa(Expr* e) {
  std::size_t first = 0;
  const Expr* format = nullptr;
  if (e->args[0]->kind == ExprKind::kString) {
    format = e->args[0];
    first = 1;
    if (format->text.empty()) {
      error("D_PRINTF_FMT_EMPTY", format->span, "printa( ) format string is empty");
      return;
    }
  }
  if (first >= e->args.size()) {
    error("D_PRINTA_PROTO", e->span,
          "printa( ) prototype mismatch: an aggregation is missing after the format");
    return;
  }
  if (!printa_aggregations(e, first)) {
    return;
  }
  if (format != nullptr) {
    printa_format(e);
  }
  if (e->args.size() - first > 1) {
    for (std::size_t i = first; i < e->args.size(); ++i) {
      tables_.aggregation(e->args[i]->index).drained = true;
    }
  }
}

}  // namespace dt::d
