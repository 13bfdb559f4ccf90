#pragma once
// The script in D that a request is.

#include <string>
#include <vector>

#include "dwatch/profile.h"
#include "dwatch/request.h"
#include "support/result.h"

namespace dt::dwatch {

// Behind each event in the output, so that its lines stay together when they are searched and
// counted. Names of what was traced cannot have it: they are printed with escapes.
constexpr char kEndOfEvent = '\036';

// `profile` has the probes, from the command line or from a file. An error is of a user or group
// that does not exist.
Result<std::string> make_script(const Request& request, const Profile& profile);

// As a string of D, with its quotes.
std::string in_quotes(const std::string& text);

}  // namespace dt::dwatch
