#pragma once
// The errors about a type or a variable that does not exist, or of which there are several.

#include <string>
#include <string_view>
#include <vector>

#include "front/world.h"
#include "stap/meaning/program.h"
#include "types/type.h"

namespace dt::stap {

// "unable to find type 'task_strukt' (similar: task_struct)"; `module`: empty, or where it is not,
// which the script calls `shown`.
std::string no_type(const types::Catalog& types, const std::string& name, const std::string& module,
                    const std::string& shown);
// A variable of the kernel; `world` has its symbols.
std::string no_kernel_variable(const front::World& world, const std::string& name);
// One of a program, which has these.
std::string no_program_variable(const std::string& name, const std::vector<std::string>& all);
// "there are several variables 'n' in a.out (alternatives: @var("n@a.c"), @var("n@b.c"))"
std::string several_variables(const std::string& name, const std::string& module,
                              const std::vector<ProgramVariable>& all);

}  // namespace dt::stap
