#pragma once
// D libraries: files of declarations, for names that nothing else defines.
//
// Nothing is read before such a name is met. Then the words of each file are
// indexed, and a file that may define the name is parsed and declared, after
// the libraries that it depends on. A file that cannot be used is
// reported and left out, and the program is compiled without it.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"

namespace dt::d {

class Libraries {
 public:
  Libraries(Sources& sources, World& world, Arena& arena)
      : sources_(sources), world_(world), arena_(arena) {}

  // Declares what a file contains; gives what is wrong with it.
  using Declare = std::function<std::vector<Diagnostic>(Unit& unit)>;
  // Loads each file that may define `name` and is not loaded yet; false when
  // there was none.
  bool load(std::string_view name, const Declare& declare);
  // Whether there is a library file of this name.
  bool has(std::string_view name);
  // Which library would define `name`, and what it lacks; "" when none would.
  std::string why_not(std::string_view name) const;

 private:
  enum class State : std::uint8_t { kUnread, kLoading, kLoaded, kLeftOut };
  struct File {
    std::string path;
    std::string text;
    // The words in `text`, once they are asked for.
    mutable std::optional<std::unordered_set<std::string_view>> words;
    State state = State::kUnread;
    std::string lacks;  // "the module zfs, which is not there": why it is kLeftOut
    Unit unit;
  };

  void index();
  static bool defines(const File& file, std::string_view name);
  void load(File& file, const Declare& declare);
  bool depends(File& file, const Declare& declare);
  void leave_out(File& file, const Diagnostic& why);

  Sources& sources_;
  World& world_;
  Arena& arena_;
  bool indexed_ = false;
  std::vector<File> files_;
  std::vector<const File*> chain_;  // whose dependencies are being loaded, each for the one before
};

// "library io.d" of `depends_on library io.d`: the two words.
struct Dependency {
  std::string_view kind;  // "library", "module" or "provider"
  std::string_view name;
};
std::optional<Dependency> parse_dependency(std::string_view pragma);

}  // namespace dt::d
