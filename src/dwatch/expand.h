#pragma once
// From a word on the command line to descriptions of probes.

#include <functional>
#include <string>
#include <vector>

#include "dwatch/request.h"
#include "support/result.h"

namespace dt::dwatch {

// How many probes a description matches.
using Count = std::function<std::size_t(const std::string& description)>;

// "execve" -> "syscall::execve:entry"; what is a whole description already stays as it is. A word
// is, in this order: a system call, a name, a function, a provider, a module, and a part of a
// system call's name. With one colon, it is a function and a name, or a provider and a name. Of
// both entry and return, entry is meant unless `has_returns`.
Result<std::string> expand(const std::string& word, Field field, bool has_returns,
                           const Count& count);

// Other system calls that do what the call of this word does: C libraries make them instead of the
// old one. "open" -> "openat", "openat2". Their arguments are not in the same places.
std::vector<std::string> relatives(const std::string& word);

// expand(), and the same probe of the relatives of a system call that the word names.
Result<std::vector<std::string>> expand_all(const std::string& word, Field field, bool has_returns,
                                            const Count& count);

// The description of one field, for -P -m -f -n.
std::string in_field(const std::string& word, Field field);

}  // namespace dt::dwatch
