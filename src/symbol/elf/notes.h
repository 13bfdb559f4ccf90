#pragma once
// Notes of ELF files: what is in a section of them, one after the other, each padded
// to four bytes.
//
//   size of the owner | size of the body | type | owner | body

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dt::symbol {

// The bodies of an owner's notes of one type, in their order, `most` of them. `owner` has
// its NUL. They are parts of `section`; what is cut off ends them.
std::vector<std::string_view> notes_of(std::string_view section, std::string_view owner,
                                       std::uint32_t type, std::size_t most);

}  // namespace dt::symbol
