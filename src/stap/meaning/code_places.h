#pragma once
// Where the places in a source that a point names are in the code of a program.

#include <string>
#include <utility>
#include <vector>

#include "stap/meaning/program.h"
#include "stap/meaning/source_place.h"

namespace dt::stap {

// Whether a function is meant: by the symbol, or as the source calls it: work.isra.0 is a copy of
// work() that the compiler has made, and _ZN4heap3putEi is put, heap::put.
bool is_function(const std::string& wanted, const std::string& symbol);
// The symbol, without what tells it from others of its name.
std::string symbol_of(const CodeLine& one);

class CodePlaces {
 public:
  // `around` must outlive it; `path`: of the program.
  CodePlaces(const PointWorld& around, std::string path)
      : around_(around), path_(std::move(path)) {}

  // In the functions that are meant. Of each line of a function, and of each copy of an inlined
  // one, only where its code begins.
  std::vector<CodeLine> lines_of(const SourcePlace& place) const;
  // Of every function that was inlined.
  std::vector<CodeLine> copies() const;
  // Lines that were relative: from the line on where the function begins. `all`: lines_of() it.
  void to_absolute(SourcePlace& place, const std::vector<CodeLine>& all) const;

  struct Refusal {
    std::string text, hint;
  };
  // Of a place that has no lines.
  Refusal why_no_lines(const SourcePlace& place) const;

 private:
  const PointWorld& around_;
  const std::string path_;
};

}  // namespace dt::stap
