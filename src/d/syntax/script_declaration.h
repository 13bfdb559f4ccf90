#pragma once
// Options that a script declares for itself, by lines such as these:
//
//     #pragma D summary files as they are opened
//     #pragma D flag p process int=0 only those of this process
//     #pragma D flag x failed bool only those that failed
//     #pragma D argument interval time=1s the time between two reports
//     #pragma D example opensnoop -x -- what could not be opened

#include <string_view>

#include "front/script_option.h"
#include "support/result.h"

namespace dt::d {

// The rest of the pragma behind `flag` or `argument`; an error says what is wrong with it.
Result<front::ScriptOption> parse_script_option(std::string_view rest, bool is_flag);

}  // namespace dt::d
