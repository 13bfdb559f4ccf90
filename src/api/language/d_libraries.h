#pragma once
// The libraries that are written in D, for its front-end.

#include "api/language/language.h"
#include "d/syntax/world.h"

namespace dt::api {

// Gives D the libraries that are installed and those of -L and -x libdir; none with -x nolibs.
// What cannot be used is reported to `from.callbacks`. What `from` refers to must outlive `out`.
void offer_libraries(d::Options& out, const LanguageRequest& from);

}  // namespace dt::api
