#pragma once
// Programs that are derived of one in D: cuts its text at the statements that add to an aggregation
// (front/derivable.h).
//
// The text is that of a program that was compiled, or of one that a recording has: it is read, and
// never compiled here. So all that is known besides are the places of the schema, and nothing is
// cut unless they agree with what was found.

#include <string_view>

#include "front/derivable.h"
#include "record/aggregation.h"
#include "support/source.h"

namespace dt::d {

// Without pieces where the program has several texts, was made by the preprocessor, is in another
// language, or where the end of a statement cannot be found.
front::Derivable derivable(const record::AggLayout& layout, const Sources& sources);

}  // namespace dt::d
