#pragma once
// Words of D and bpftrace, and C's, in handlers: what says the same in this language.

#include <string>
#include <string_view>
#include <vector>

#include "stap/syntax/token.h"

namespace dt::stap {

// "here it is execname()" of comm; at returns, arg1 is what has been returned. Empty: it is no such
// word.
std::string hint_of_word(std::string_view word, bool is_return);
// Of x in self->x, this->x and args->x. Empty: `base` is none of these.
std::string hint_of_member(std::string_view base, std::string_view member);
// Of @name at `at`, with what follows it: "@a[pid] = count()".
std::string hint_of_aggregation(const std::vector<Token>& tokens, std::size_t at);
// Of a script that begins with a clause of D ("BEGIN {", "syscall::open:entry {", "tick-1s {") or
// of bpftrace ("kprobe:vfs_read {"); `point`: the text around the first token. Empty: it does not.
std::string hint_of_clause(const Token& first, const Token& second, std::string_view point);

}  // namespace dt::stap
