#pragma once
// The D front-end as a run wants it: its macro variables, options and libraries.

#include <memory>

#include "api/language.h"

namespace dt::api {

std::unique_ptr<front::FrontEnd> make_d_front_end(const LanguageRequest& from);

}  // namespace dt::api
