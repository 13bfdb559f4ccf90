#pragma once
// Programs in D from which the page makes others.

#include "front/derivable.h"
#include "record/aggregation.h"
#include "support/source.h"

namespace dt::api {

// The program, cut at what adds to the aggregation; without parts if it is not one text in D.
front::Derivable derivable_d(const record::AggLayout& layout, const Sources& sources);

}  // namespace dt::api
