#pragma once
// The code of glibc in an object: its functions by their addresses, and what each of them jumps
// to, calls and takes the address of. The inner functions of the library that is installed have
// no names, so they are found by following those that programs call.
//
// A function is taken to reach up to where the next one begins, by the table that serves to
// unwind stacks, which stripped files have, too.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "provider/process/object_code.h"

namespace dt::provider {

// Whether the object is glibc, or a program with glibc linked into it.
bool is_glibc(const Image& image);

// What is not as it must be in a glibc.
Error unknown_glibc(const std::string& what);

class GlibcCode {
 public:
  // `image` outlives it.
  explicit GlibcCode(const Image& image);

  // A function. It lives as long as what has given it.
  struct Code {
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
    std::vector<machine::Instruction> instructions;

    std::uint64_t end() const { return address + bytes.size(); }
  };

  // The function that holds the address.
  Result<const Code*> at(std::uint64_t address);
  // Where it goes on outside of itself.
  std::vector<std::uint64_t> jumps_out(const Code& code) const;
  // Whom it calls by their addresses, but for what ends the program.
  std::vector<std::uint64_t> calls_of(const Code& code) const;
  // The beginnings of functions that it hands to others.
  std::vector<std::uint64_t> taken_by(const Code& code) const;
  // The function, and all that it goes on in.
  Result<std::vector<const Code*>> with_jumps(std::uint64_t address);
  // Where functions of this name begin, but for those that only call another of them: what
  // programs were linked with long ago.
  std::vector<std::uint64_t> versions(const char* name);

  const Image& image() const { return image_; }
  // Where it begins in the file.
  std::uint64_t offset_of(const Code& code) const { return *image_.elf().offset_of(code.address); }

 private:
  const Image& image_;
  std::vector<std::uint64_t> starts_;
  std::set<std::uint64_t> ends_;
  std::map<std::uint64_t, Code> codes_;  // by where they begin
};

// Whether breakpoints may stand at these offsets in the file.
Status may_break(const Image& image, std::span<const std::uint64_t> places);

// Where breakpoints stand for a function, as offsets in the file.
struct CallSites {
  std::uint64_t entry = 0;
  std::vector<std::uint64_t> returns;  // none: the object has no such function
};
// The calls of the function that begins there, and of the code to which it jumps; `name` is for the
// error.
Result<CallSites> call_sites(GlibcCode& glibc, std::uint64_t address, const char* name);

}  // namespace dt::provider
