#include "d/check/versions.h"

#include "d/meaning/version.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"

namespace dt::d {

bool Versions::visible_since(const char* since) const {
  return parse_version(since).value_or(0) <= world_.version;
}

bool Versions::visible(const std::string& name) const {
  const auto found = since_.find(name);
  return found == since_.end() || found->second <= world_.version;
}

}  // namespace dt::d
