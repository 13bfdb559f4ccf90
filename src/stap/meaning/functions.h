#pragma once
// The functions that are not written in the language (functions.def).

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dt::stap {

enum class Fn : std::uint8_t {
#define DT_FUNCTION(name, result, parameters, where) name,
#include "stap/meaning/functions.def"
#undef DT_FUNCTION
};

enum class Where : std::uint8_t { kAnywhere, kContext, kEffect, kMemory, kArgument, kSymbols };

struct FunctionInfo {
  std::string_view name;
  char result;
  std::string_view parameters;
  Where where;
};

const FunctionInfo& info(Fn fn);
std::size_t function_count();
// Its number; -1: there is none of this name.
int find_function(std::string_view name);
// Why a function of SystemTap is missing here, and what to use instead. Empty: the name is unknown.
std::string_view why_no_function(std::string_view name);
// print, println, printd, printf and their twins that give a string.
bool is_printing(Fn fn);

}  // namespace dt::stap
