#pragma once
// Probes as D and bpftrace write them: what they are in this language.

#include <string>
#include <string_view>

namespace dt::stap {

// "timer.s(1)" of tick-1s, profile:::tick-1s and interval:s:1; "syscall.open" of
// syscall::open:entry and tracepoint:syscalls:sys_enter_open; dtrace("io:::start") of what has no
// other name. Empty: it is no such probe.
std::string own_point(std::string_view foreign);
// What the point has around a place of a text: from blank to blank, comma or brace.
std::string_view point_around(std::string_view text, std::size_t place);
// A hint, or none.
std::string hint_of_foreign(std::string_view point);

}  // namespace dt::stap
