#pragma once
// The functions of a BPF program, as the verifier is to see them.
//
// A *static* function is followed from every call, with all that is known at
// the call: it may take anything, and the verifier's work is multiplied by the
// number of its calls. A *global* one is verified once, by itself, knowing of
// its parameters only what stands here, and a call of it costs the verifier one
// instruction. It returns an int that may be any. What 5.15 to 7.x take alike:
//
//   kScalar  any 64-bit value. Store it to memory in two halves and load it
//            again before computing with it: a verifier that wants to know a
//            parameter precisely (6.4 to 6.18 at least) makes all values of the
//            program precise instead, and then hardly ever finds two states alike
//   kMemory  a pointer to `bytes` bytes, or NULL: the function must test it. Up
//            to 6.1 a map's key or value may not be passed to a map helper
//            through it
//
// The context is not among them: where it is a bare array of words (tp_btf,
// fentry), kernels before 6.8 take it for a parameter of static functions only.

#include <cstdint>
#include <string>
#include <vector>

namespace dt::kernel {

struct Parameter {
  enum class Kind : std::uint8_t { kScalar, kMemory };
  Kind kind = Kind::kScalar;
  std::uint32_t bytes = 0;  // kMemory
  bool operator==(const Parameter&) const = default;
};

struct Function {
  std::uint32_t insn = 0;  // where it begins; the main function at 0
  std::string name;        // an identifier of C; "" = any
  bool is_global = false;
  std::vector<Parameter> parameters = {};  // of a global one, at most five
  bool operator==(const Function&) const = default;
};

}  // namespace dt::kernel
