#include "d/check/versions.h"

#include "d/syntax/ast.h"
#include "d/syntax/world.h"

namespace dt::d {

bool Versions::visible(const std::string& name) const {
  const auto found = since_.find(name);
  return found == since_.end() || found->second <= world_.version;
}

}  // namespace dt::d
