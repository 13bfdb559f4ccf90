#pragma once
// Pragmas. Options, dependencies and errors are read before everything else; the others
// where they stand.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "d/check/part.h"
#include "d/check/stability.h"
#include "support/source.h"

namespace dt::d {

struct Pragma;

class Inlines;
class Tables;
class Versions;

class Pragmas : Part {
 public:
  Pragmas(Context& context, Tables& tables, Inlines& inlines, Versions& versions)
      : Part(context), tables_(tables), inlines_(inlines), versions_(versions) {}

  // Options, dependencies and errors: before everything else.
  void early(const Pragma& pragma);
  // The others, where they stand.
  void placed(const Pragma& pragma);
  // Names of `attributes` and `binding` that wait to be defined.
  std::size_t named() const { return names_.size(); }
  // Reports pragmas, from number `first` on, whose names nothing has defined: at the end of a
  // library, and of the program.
  void report_unused(std::size_t first);
  // What the program declares of the stability of names.
  const DeclaredStability& stability() const { return stability_; }

 private:
  void option(const Pragma& pragma, std::string_view rest);
  void depends(const Pragma& pragma);
  void attributes(const Pragma& pragma, const std::vector<std::string_view>& words);
  void binding(const Pragma& pragma, const std::vector<std::string_view>& words);
  // What the program does not define it may not change.
  bool may_change(const Pragma& pragma, std::string_view name);

  Tables& tables_;
  Inlines& inlines_;
  Versions& versions_;
  DeclaredStability stability_;
  std::vector<std::pair<std::string, Span>> names_;  // of `attributes` and `binding`
};

}  // namespace dt::d
