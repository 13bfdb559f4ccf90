#pragma once
// Which arguments of a probe the parameters of a function of a program are, where some of them do
// not come in registers for numbers (psABI of x86-64, 3.2.3).

#include <optional>
#include <string>
#include <vector>

#include "probe/probe.h"
#include "stap/events/probe_info.h"
#include "types/type.h"

namespace dt::stap {

struct UserParameters {
  std::vector<ProbeInfo::Argument> arguments;  // by number; one without a name is no parameter
  std::vector<std::string> declared;           // the names of all parameters, in their order
};

// A function as its program declares it. `is_c`: in C, which says how a small structure is
// returned.
struct DeclaredFunction {
  const types::Type& type;
  bool is_c = false;
};

// A parameter of which it is not certain where it is has no argument: a floating-point number, a
// structure and what follows it.
UserParameters user_parameters(const types::Catalog& types, const DeclaredFunction& function);

// The argument that a parameter of this type is.
ProbeInfo::Argument user_argument(const types::Catalog& types, std::string name,
                                  types::TypeId type);

// Where the result of the function is, by its type. Of a large structure it is an address.
ProbeInfo::Result user_result(const types::Catalog& types, const DeclaredFunction& function);

}  // namespace dt::stap
