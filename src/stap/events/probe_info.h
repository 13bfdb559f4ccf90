#pragma once
// A probe of an event, with the names and types of its arguments.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "probe/probe.h"
#include "types/type_id.h"

namespace dt::stap {

struct ProbeInfo {
  ProbeId id;
  probe::Description description;
  std::string process;      // the number that ends the provider's name: that of a process
  std::int64_t number = 0;  // of a system call
  struct Argument {
    std::string name, type;
    // How wide a number of this type is, and whether it has a sign, where its program says it.
    std::uint32_t bytes = 0;
    bool is_signed = false;
    bool is_text = false;                  // const char * of the process
    bool is_userland = false;              // it leads to memory of the process
    std::optional<types::TypeId> id = {};  // the type itself, where the name is not enough
  };
  std::vector<Argument> arguments;
  bool has_all_arguments = false;  // there are no others
  // The names of all parameters of a function, where some are no arguments.
  std::vector<std::string> declared = {};
  std::string result;  // the type of $return, where it is known
  // Where the result of a function of a program is. kNumber: in the register for numbers.
  // kElsewhere: in none for numbers. kStructure: in several, some of which are for numbers
  // (events/user_parameters.h).
  enum class Result : std::uint8_t { kNumber, kNothing, kElsewhere, kStructure };
  Result result_is = Result::kNumber;
  // The structure that it returns: in registers, or at the address that is its result.
  std::optional<types::TypeId> structure = {};
};

}  // namespace dt::stap
