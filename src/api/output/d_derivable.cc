// See d_derivable.h.

#include "api/output/d_derivable.h"

#include "d/derive.h"

namespace dt::api {

front::Derivable derivable_d(const record::AggLayout& layout, const Sources& sources) {
  return d::derivable(layout, sources);
}

}  // namespace dt::api
