#pragma once
// dtrace -h: the header with a macro for each probe of some providers.
//
//   SERVER_REQUEST_START(arg0, arg1)    the place where server:::request-start is
//   SERVER_REQUEST_START_ENABLED()      whether a tracer looks
//
// It holds the core of include/dtrace/sdt.h, so that a program that has it needs
// nothing of ours to be built.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usdt/provider.h"

namespace dt::usdt {

// "SERVER_REQUEST_START"
std::string macro_of(const Provider& provider, const Probe& probe);

// Whether there is anything to say: arguments, or how stable the provider is.
bool has_types(const Provider& provider, const Probe& probe);

// What the note of a probe says of its arguments (symbol/elf/usdt_types.h): their types, an empty
// text, those of args[] with the numbers of the arguments that they are made of, an empty text.
std::vector<std::string> type_texts(const Provider& provider, const Probe& probe);

// `file` names the header: what keeps it from being included twice.
std::string header(std::span<const Provider> providers, std::string_view file);

}  // namespace dt::usdt
