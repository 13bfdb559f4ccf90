#pragma once
// The line of the table of languages (api/language/languages.h) that Toy would have.

#include "api/language/language.h"
#include "testing/front/toy.h"

namespace dt::toy {

inline api::Language language() {
  return {"toy", [](const api::LanguageRequest&) { return make_front_end(); }};
}

}  // namespace dt::toy
