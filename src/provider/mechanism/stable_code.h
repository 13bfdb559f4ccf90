#pragma once
// The code of probes that read the kernel's structures, member by member.
//
// Kernels differ in their structures. Code that runs in the kernel cannot report a member
// that is missing, and a 0 instead of its value would be wrong data. So before a provider
// lists a probe, the probe's code is written once for no program (lacks_of), which finds what
// is missing.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"
#include "types/place.h"
#include "types/type.h"

namespace dt::provider {

// What the code of a stable probe is written with. If this kernel does not have what a call
// asks for, `lacks` names it, and the result of the call must not be used; has() alone asks
// without a need.
class StableCode {
 public:
  // Where the code runs, and which module's types it means.
  struct Source {
    const types::Catalog& types;
    std::string_view tracepoint = {};
    std::span<const types::TypeId> parameters = {};  // what it passes
    std::string_view module = types::kKernelModule;
  };
  // `lacks`: where the first thing is noted that this kernel does not have.
  StableCode(bpf::Emitter& emitter, bpf::Reg context, Source source, const bpf::Words& words,
             std::string& lacks)
      : emitter_(emitter), context_(context), source_(source), words_(words), lacks_(lacks) {}

  bpf::Emitter& emitter() { return emitter_; }
  // The n-th argument of the tracepoint, extended from its own width.
  bpf::Reg word(std::uint32_t n);
  bool has_word(std::uint32_t n) const { return n < source_.parameters.size(); }
  // How wide it is, in bytes.
  std::uint32_t word_size(std::uint32_t n);
  // `structure`'s member at `base`, an address in the kernel: a number of any
  // width, extended. "signal->live.counter" walks. 0 where it cannot be read.
  bpf::Reg member(bpf::Reg base, const char* structure, std::string_view path);
  // The offset in `structure` of the member that the path names ("a.b"); the path follows no
  // pointer.
  std::int32_t offset(const char* structure, std::string_view path);
  std::int32_t size_of(const char* structure);
  // Whether this kernel has the structure, or a member of it: for what differs between
  // kernels and is done in another way on some.
  bool has(const char* structure) const;
  bool has(const char* structure, std::string_view path) const;
  // The value of an enumeration's constant.
  std::int32_t enumerator(const char* enumeration, std::string_view name);
  // A bit-field of at most 8 bits within one byte.
  bpf::Reg bits(bpf::Reg base, const char* structure, std::string_view name);
  // The byte at `offset` from an address in the kernel.
  bpf::Reg byte(bpf::Reg base, std::uint32_t offset);
  // The task that runs.
  bpf::Reg current();

 private:
  bpf::Reg read(bpf::Reg base, const types::Place& place);
  void lack(std::string what);

  bpf::Emitter& emitter_;
  bpf::Reg context_;
  Source source_;
  const bpf::Words& words_;
  std::string& lacks_;
};

// What a prologue that is written with StableCode does not find in this kernel, of all
// that enter() and its arguments need; "" where it finds everything.
template <typename Written>
std::string lacks_of(Written& prologue, std::uint32_t arguments) {
  bpf::Emitter emitter;
  const bpf::Reg context = emitter.context();
  prologue.enter(emitter, context, emitter.label());
  for (std::uint32_t n = 0; n < arguments; ++n) prologue.argument(emitter, context, n);
  return prologue.lacks();
}

}  // namespace dt::provider
