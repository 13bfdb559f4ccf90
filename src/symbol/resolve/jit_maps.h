#pragma once
// The functions of JITs, from the maps that they write (/tmp/perf-PID.map); the latest maps, as far
// as there is room.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "symbol/process/process.h"
#include "symbol/process/processes.h"

namespace dt::symbol {

class JitMaps {
 public:
  // The function at an address of the process; nullptr if no map has one. Valid until the next
  // call.
  const JitSymbol* find(std::int32_t pid, Life& life, std::uint64_t address);

  // How machines whose functions had no names write a map; empty when there is none of those that
  // are known, Java and Node.
  std::string notice() const;

 private:
  using Map = std::shared_ptr<const std::vector<JitSymbol>>;

  Map hold(std::vector<JitSymbol> symbols);
  void note_without_map(std::int32_t pid, const Life& life);

  std::deque<std::pair<Map, std::size_t>> held_;
  std::size_t bytes_ = 0;
  std::int32_t java_ = 0, node_ = 0;  // a process of each that has no map; 0: none
};

}  // namespace dt::symbol
