// See jit_maps.h.

#include "symbol/resolve/jit_maps.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxPerfMapBytes = 256U << 20;
// Of all maps, but for the latest one.
constexpr std::size_t kMaxJitBytes = 256U << 20;
constexpr std::size_t kMaxJitMaps = 4096;
// How long a map is believed without a look.
constexpr auto kFreshMap = std::chrono::milliseconds(100);

// The number that the process itself sees, by which its map is named.
std::string own_number(std::int32_t pid) {
  const std::string status = read_file(fmt::format("/proc/{}/status", pid), 1U << 16);
  const std::size_t line = status.find("\nNSpid:");
  if (line == std::string::npos) return std::to_string(pid);
  const std::size_t end = std::min(status.find('\n', line + 1), status.size());
  const std::size_t last = status.find_last_of(" \t", end - 1);
  if (last == std::string::npos || last <= line) return std::to_string(pid);
  return status.substr(last + 1, end - last - 1);
}

}  // namespace

JitMaps::Map JitMaps::hold(std::vector<JitSymbol> symbols) {
  std::size_t bytes = symbols.capacity() * sizeof(JitSymbol);
  for (const JitSymbol& one : symbols) {
    bytes += one.name.capacity();
  }
  held_.emplace_back(std::make_shared<const std::vector<JitSymbol>>(std::move(symbols)), bytes);
  bytes_ += bytes;
  while ((bytes_ > kMaxJitBytes || held_.size() > kMaxJitMaps) && held_.size() > 1) {
    bytes_ -= held_.front().second;
    held_.pop_front();
  }
  return held_.back().first;
}

// The library or the program that compiles is mapped by the process.
void JitMaps::note_without_map(std::int32_t pid, const Life& life) {
  for (const Mapping& mapping : life.mappings()) {
    const std::string name = object_name(mapping.path);
    if (name == "libjvm.so") java_ = pid;
    if (name == "node" || name == "nodejs" || name.starts_with("libnode.so")) node_ = pid;
  }
}

std::string JitMaps::notice() const {
  std::string text;
  if (java_ != 0) {
    text = fmt::format(
        "methods that Java has compiled have no names: 'jcmd {} Compiler.perfmap' writes them, and "
        "java -XX:+PreserveFramePointer makes stacks whole",
        java_);
  }
  if (node_ != 0) {
    text += fmt::format(
        "{}functions that Node has compiled have no names in process {}: it writes "
        "them if it is started with node --perf-basic-prof",
        text.empty() ? "" : "\n", node_);
  }
  return text;
}

const JitSymbol* JitMaps::find(std::int32_t pid, Life& life, std::uint64_t address) {
  const auto now = Life::Clock::now();
  Map map = life.jit.lock();
  const auto look_up = [&]() -> const JitSymbol* {
    const JitSymbol* symbol = map != nullptr ? last_from(*map, address) : nullptr;
    return symbol != nullptr && address - symbol->begin < symbol->size ? symbol : nullptr;
  };
  // A JIT appends to its map while it runs.
  if (look_up() == nullptr && now - life.jit_checked >= kFreshMap) {
    life.jit_checked = now;
    struct stat owner {};
    if (::stat(fmt::format("/proc/{}", pid).c_str(), &owner) == 0) {
      const std::string path = fmt::format("/proc/{}/root/tmp/perf-{}.map", pid, own_number(pid));
      map = hold(parse_perf_map(read_owned_file(path, owner.st_uid, kMaxPerfMapBytes)));
      life.jit = map;
      if (map->empty()) note_without_map(pid, life);
    }
  }
  return look_up();
}

}  // namespace dt::symbol
