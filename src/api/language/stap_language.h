#pragma once
// The SystemTap front-end as a run wants it.

#include <memory>

#include "api/language/language.h"

namespace dt::api {

std::unique_ptr<front::FrontEnd> make_stap_front_end(const LanguageRequest& from);

}  // namespace dt::api
