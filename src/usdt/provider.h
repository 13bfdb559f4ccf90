#pragma once
// A provider that a program brings along, as its `provider` block declares it:
// what dtrace -h and -G make of it. The types are texts: a compiler of C knows
// them, and so does the tracer of the program, as far as it can.

#include <cstdint>
#include <string>
#include <vector>

namespace dt::usdt {

// What a script gets as args[n]: the argument of this number, translated.
struct Translated {
  std::string type;
  std::uint32_t source = 0;
};

struct Probe {
  std::string name;                    // as C has it: "request__start"
  std::vector<std::string> arguments;  // their types: "const char *"
  std::vector<Translated> translated;  // when is_translated
  bool is_translated = false;          // a `: (...)` is there
};

struct Provider {
  std::string name;
  std::vector<Probe> probes;
  // The stability of the provider, its modules, functions, names and arguments: "Evolving Evolving
  // Common". Empty if the program declares none.
  std::vector<std::string> stability = {};
};

// The counter of those who look at a probe, which sites and checks refer to.
inline std::string counter_of(const Provider& provider, const Probe& probe) {
  return provider.name + "_" + probe.name + "_semaphore";
}

}  // namespace dt::usdt
