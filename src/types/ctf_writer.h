#pragma once
// The types of a catalogue as CTF (ctf.h), in the form of GNU, whose numbers of types have 32 bits:
// what -x ctypes and -x dtypes write to files whose names end with ".ctf".

#include <cstdint>
#include <string>

#include "types/type.h"

namespace dt::types {

// What is written, together with what it refers to. A type whose members were never used is only
// declared.
enum class CtfContent : std::uint8_t {
  kDeclared,  // the types that the script and its libraries declare
  kAll,       // those, and the types that came from a source until now
};

// One dictionary. A `string` of D has `string_bytes`. Types that CTF cannot express have no type,
// and enumerators beyond 32 bits are left out, as in GNU's own.
std::string ctf_of(const Catalog& catalog, CtfContent content, std::uint32_t string_bytes);

}  // namespace dt::types
