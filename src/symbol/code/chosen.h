#pragma once
// Which function a process uses where the program has a choice (IFUNC): the
// dynamic linker asks a resolver at the start and keeps the answer in words of
// the object that uses it (relocations of the kind IRELATIVE).

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "symbol/elf/file.h"
#include "symbol/frames/functions.h"
#include "symbol/process/objects.h"

namespace dt::symbol {

// The function that `resolver`, one of `functions` of `object`, has chosen in the
// process; it keeps the name. nullopt when no word of the object tells, or when it is
// elsewhere.
std::optional<Function> chosen_function(pid_t pid, const ProcessObject& object, const ElfFile& elf,
                                        const Functions& functions, const Function& resolver);

}  // namespace dt::symbol
