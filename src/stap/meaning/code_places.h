#pragma once
// Where the places in a source that a point names are in the code of a program.

#include <string>
#include <utility>
#include <vector>

#include "stap/meaning/program.h"
#include "stap/meaning/source_place.h"

namespace dt::stap {

// Whether `wanted` means the function with this symbol: it is the symbol or its name in the source.
// (work.isra.0 is a copy of work() that the compiler has made; _ZN4heap3putEi is heap::put.)
bool is_function(const std::string& wanted, const std::string& symbol);
// The symbol of the function at a place, without the "@address" of CodeLine::function.
std::string symbol_of(const CodeLine& one);

class CodePlaces {
 public:
  // `around` must outlive it; `path`: of the program.
  CodePlaces(const PointWorld& around, std::string path)
      : around_(around), path_(std::move(path)) {}

  // The lines of the place, in the functions that it means. For each line of a function, and of
  // each copy of an inlined function, only the place where its code begins.
  std::vector<CodeLine> lines_of(const SourcePlace& place) const;
  // Where each copy of every inlined function begins.
  std::vector<CodeLine> copies() const;
  // Makes relative lines absolute. `all` is lines_of(place).
  void to_absolute(SourcePlace& place, const std::vector<CodeLine>& all) const;

  struct Refusal {
    std::string text, hint;
  };
  // Why a place has no lines.
  Refusal why_no_lines(const SourcePlace& place) const;

 private:
  const PointWorld& around_;
  const std::string path_;
};

}  // namespace dt::stap
