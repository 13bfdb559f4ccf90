#include "provider/user/function_names.h"

#include "probe/pattern.h"
#include "symbol/elf/demangle.h"

namespace dt::provider {

std::string shown_function(const symbol::Function& function, bool demangles) {
  return demangles ? symbol::demangle(function.name.c_str()) : function.name;
}

bool is_function_of(std::string_view pattern, const symbol::Function& function, bool demangles) {
  const bool is_of_linker = pattern.starts_with("_Z") || pattern.starts_with("_R");
  return probe::field_matches(pattern, shown_function(function, demangles)) ||
         (is_of_linker && probe::field_matches(pattern, function.name));
}

}  // namespace dt::provider
