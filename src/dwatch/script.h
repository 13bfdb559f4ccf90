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
// Stands behind the name of the program. A script that is printed (-d) does without.
constexpr char kEndOfProgram = '\037';

// -R shows so many: the process, and those above it.
constexpr int kGenerations = 4;

// The users of -u, groups of -g or processes of -p. If one value is a regular expression, `pattern`
// is one of all values, for the numbers in an event's text; if it is empty, the kernel compares.
struct Identities {
  std::vector<std::string> numbers;
  std::string pattern;
};
// An error is of one that does not exist.
Result<Identities> identities(char letter, const std::vector<std::string>& values);

// `profile` has the probes, from the command line or from a file. An error is that of
// identities().
Result<std::string> make_script(const Request& request, const Profile& profile);

// As a string of D, with its quotes.
std::string in_quotes(const std::string& text);

}  // namespace dt::dwatch
