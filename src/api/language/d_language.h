#pragma once
// The D front-end as a run wants it: its macro variables, options and libraries.

#include <memory>
#include <string>
#include <string_view>

#include "api/language/language.h"
#include "front/script_option.h"

namespace dt::api {

std::unique_ptr<front::FrontEnd> make_d_front_end(const LanguageRequest& from);

// "invalid probe specifier BEGIN { ...: ", as DTrace says it of -n.
std::string blame_d_text(std::string_view text);

// What the text of a script in D declares.
front::ScriptUsage read_d_script_usage(std::string_view text);

// A description of probes in the form of bcc, in D; empty: it has no such form.
std::string bcc_in_d(std::string_view pattern, bool is_function);

}  // namespace dt::api
