#pragma once
// When a file of the D libraries is loaded: when a name is met that nothing else defines.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "d/check/library.h"

namespace dt::d {

class LibraryUse {
 public:
  // `declare` declares what a file contains. Types that only a library has are found from now on,
  // as long as this lives.
  LibraryUse(Sources& sources, World& world, Arena& arena, Libraries::Declare declare);
  ~LibraryUse();
  LibraryUse(const LibraryUse&) = delete;
  LibraryUse& operator=(const LibraryUse&) = delete;

  // Loads the libraries that may define the name; false when there are none.
  bool load(std::string_view name);
  // Whether there is a library file of this name.
  bool has(std::string_view file) { return libraries_.has(file); }
  // Which library would define `name`, and what it lacks; "" when none would.
  std::string why_not(std::string_view name) const { return libraries_.why_not(name); }

 private:
  Libraries libraries_;
  Libraries::Declare declare_;
  std::shared_ptr<LibraryUse*> self_;  // what the source of types asks, while there is one
};

}  // namespace dt::d
