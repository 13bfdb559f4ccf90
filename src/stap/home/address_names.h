#pragma once
// Stacks, and the names of addresses.
//
// A stack is a text of its addresses, "0x1 0x2", as in SystemTap: so it can be kept in variables,
// be a key, and be named later, by print_stack(). Its first address is that of the probe, the
// others are those to which calls return.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "stap/home/execution.h"
#include "stap/home/firing_context.h"
#include "stap/meaning/functions.h"

namespace dt::stap {

class AddressNames {
 public:
  // All references must outlive this.
  AddressNames(const Execution& run, const FiringContext& context) : run_(run), context_(context) {}

  struct Made {
    Value value;
    std::string error;  // empty: none
    // The stack whose text the value is; empty where it is none.
    std::string addresses = {};
    bool is_user = false;
    bool is_printed = false;  // the value goes to the output
  };
  // A function with Where::kSymbols.
  Made compute(Fn fn, const std::vector<Value>& arguments) const;

 private:
  enum class Shown : std::uint8_t { kName, kData, kModule };  // of an address
  enum class Frames : std::uint8_t { kWhole, kBrief, kWithLines };
  bool frame(Fn fn, const std::vector<Value>& arguments, Value& out) const;
  std::string name_of(std::uint64_t address, bool is_user, Shown shown) const;
  std::string frame_text(std::uint64_t address, bool is_user, bool is_return, Frames frames) const;
  std::string lines_of(const std::string& addresses, bool is_user, Frames frames) const;
  std::string source_text(Fn fn, std::uint64_t address) const;
  std::string stack_text(bool is_user) const;

  const Execution& run_;
  const FiringContext& context_;
};

// The stacks whose texts handlers have asked for, for pictures.
class NotedStacks {
 public:
  // All references must outlive this.
  NotedStacks(const Execution& run, const FiringContext& context) : run_(run), context_(context) {}

  struct Stack {
    bool is_user = false;
    std::int32_t pid = 0;
    std::vector<std::uint64_t> addresses;
  };
  // Until then, none is noted.
  void begin() { has_begun_ = true; }
  void note(const std::string& text, const std::string& addresses, bool is_user);
  const Stack* find(const std::string& text) const;

 private:
  const Execution& run_;
  const FiringContext& context_;
  bool has_begun_ = false, has_said_ = false;
  std::unordered_map<std::string, Stack> stacks_;  // by their texts
};

}  // namespace dt::stap
