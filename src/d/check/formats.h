#pragma once
// printf() and printa(): the format against what is given to it.

#include <cstddef>
#include <optional>
#include <vector>

#include "d/check/part.h"

namespace dt::d {

class Tables;
struct AggregationKey;
struct Conversion;
struct Format;

class Formats : Part {
 public:
  Formats(Context& context, Tables& tables) : Part(context), tables_(tables) {}

  void printf(Expr* e);
  void printa(Expr* e);
  // The letter says which kind of type, a prefix of an integer which size.
  bool conversion_accepts(const Conversion& conversion, const Expr* argument) const;

 private:
  // The aggregations from args[first] on: each exists, and has the keys of the first.
  bool printa_aggregations(Expr* e, std::size_t first);
  void printa_format(const Expr* e);
  std::string value_hint(const Conversion& conversion, const Expr* argument) const;
  std::optional<Format> constant_format(const Expr* e);
  bool printf_value(const Expr* e, std::size_t number, const Conversion& conversion, Span span,
                    std::size_t& next);
  bool dynamic_arguments(const Expr* e, std::size_t number, const Conversion& conversion, Span span,
                         std::size_t& next);
  bool dynamic_keys(const std::vector<AggregationKey>& keys, std::size_t number,
                    const Conversion& conversion, Span span, std::size_t& next);
  Expr* supplied_value(const Expr* format, const Conversion& conversion);
  bool printa_value(const Expr* e, std::size_t number, const Conversion& conversion, Span span,
                    std::size_t position);

  Tables& tables_;
};

}  // namespace dt::d
