#pragma once
// The languages that programs may be written in. A front-end is one line of this table, and
// one file beside it that makes the front-end; nothing else in api/ names a language.

#include <memory>
#include <string_view>
#include <vector>

#include "api/language/language.h"
#include "support/result.h"

namespace dt::api {

std::vector<Language> built_in_languages();

// The language of that name; the error lists all names.
Result<const Language*> find_language(const std::vector<Language>& languages,
                                      std::string_view name);

// All programs of a run are compiled into one, so they must be written in one language.
Result<std::unique_ptr<front::FrontEnd>> make_front_end(const std::vector<Language>& languages,
                                                        const LanguageRequest& from);

}  // namespace dt::api
