// See processes.h.

#include "symbol/processes.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxMapsBytes = 64U << 20;
constexpr std::size_t kMaxProcesses = 65536;
constexpr std::size_t kMaxOver = 16384;     // of them may have ended
constexpr std::size_t kMaxLives = 4;        // of one process
constexpr std::size_t kMaxMappings = 4096;  // that are learnt one by one
// How long what is known of a process is believed without a look.
constexpr auto kFresh = std::chrono::milliseconds(100);

const Mapping* holding(const std::vector<Mapping>& sorted, std::uint64_t address) {
  const auto after =
      std::upper_bound(sorted.begin(), sorted.end(), address,
                       [](std::uint64_t value, const Mapping& item) { return value < item.begin; });
  if (after == sorted.begin() || address >= std::prev(after)->end) {
    return nullptr;
  }
  return &*std::prev(after);
}

// With the new one, and without what lay where it lies now.
std::vector<Mapping> with(const std::vector<Mapping>& old, Mapping added) {
  std::vector<Mapping> out;
  out.reserve(old.size() + 1);
  for (const Mapping& each : old) {
    Mapping below = each;
    below.end = std::min(each.end, added.begin);
    if (below.begin < below.end) {
      out.push_back(std::move(below));
    }
    Mapping above = each;
    above.begin = std::max(each.begin, added.end);
    if (above.begin < above.end) {
      above.file_offset += above.begin - each.begin;
      out.push_back(std::move(above));
    }
  }
  out.push_back(std::move(added));
  std::sort(out.begin(), out.end(),
            [](const Mapping& a, const Mapping& b) { return a.begin < b.begin; });
  return out;
}

}  // namespace

Life& Processes::begin_life(std::int32_t pid) {
  if (processes_.size() >= kMaxProcesses && !processes_.contains(pid)) {
    processes_.clear();
    over_.clear();
  }
  Process& process = processes_[pid];
  process.is_over = false;
  if (process.lives.size() >= kMaxLives) {
    process.lives.pop_front();
  }
  Life& life = process.lives.emplace_back();
  life.mappings = std::make_shared<std::vector<Mapping>>();
  return life;
}

void Processes::learn(const kernel::ProcessEvent& event) {
  using Kind = kernel::ProcessEvent::Kind;
  switch (event.kind) {
    case Kind::kFork: {
      refresh(event.parent, false);
      const auto parent = processes_.find(event.parent);
      std::optional<Life> of_parent;
      if (parent != processes_.end() && !parent->second.lives.empty()) {
        of_parent = parent->second.lives.back();
      }
      Life& life = begin_life(event.pid);
      if (of_parent) {
        life.mappings = of_parent->mappings;
        life.is_whole = of_parent->is_whole;
      }
      return;
    }
    case Kind::kExec:
      begin_life(event.pid).is_whole = true;
      return;
    case Kind::kMap: {
      const auto known = processes_.find(event.pid);
      const bool is_known = known != processes_.end() && !known->second.lives.empty();
      Life& life = is_known ? known->second.lives.back() : begin_life(event.pid);
      life.is_whole = life.is_whole && life.mappings->size() < kMaxMappings;
      if (life.mappings->size() < kMaxMappings) {
        Mapping mapping{event.begin,  event.end,   event.file_offset,
                        event.device, event.inode, event.path};
        if (mapping.path.starts_with("//") || mapping.path.find_first_of("/[") != 0) {
          mapping.path.clear();  // anonymous
        }
        life.mappings =
            std::make_shared<std::vector<Mapping>>(with(*life.mappings, std::move(mapping)));
      }
      return;
    }
    case Kind::kExit:
      end(event.pid);
      return;
  }
}

// The eldest dead are forgotten, those that somebody asked for later than others.
void Processes::end(std::int32_t pid) {
  const auto known = processes_.find(pid);
  if (known == processes_.end()) {
    return;
  }
  known->second.is_over = true;
  over_.push_back(pid);
  for (std::size_t i = 0; over_.size() > kMaxOver && i < 2 * kMaxOver; ++i) {
    const std::int32_t first = over_.front();
    over_.pop_front();
    const auto dead = processes_.find(first);
    if (dead == processes_.end() || !dead->second.is_over) {
      continue;  // its number was given again
    }
    if (std::exchange(dead->second.is_wanted, false)) {
      over_.push_back(first);
    } else {
      processes_.erase(dead);
    }
  }
}

void Processes::doubt() {
  for (auto& [pid, process] : processes_) {
    for (Life& life : process.lives) {
      life.is_whole = false;
      life.checked = {};
      life.identity.clear();
    }
  }
}

void Processes::note(std::int32_t pid, bool again) {
  refresh(pid, again);
  if (const auto known = processes_.find(pid); known != processes_.end()) {
    known->second.is_wanted = true;
  }
}

void Processes::refresh(std::int32_t pid, bool again) {
  const auto known = processes_.find(pid);
  Life* life = known != processes_.end() && !known->second.lives.empty()
                   ? &known->second.lives.back()
                   : nullptr;
  const auto now = Clock::now();
  if (life != nullptr && !again && (life->is_whole || now - life->checked < kFresh)) {
    return;
  }
  std::string identity = process_identity(pid);
  if (life != nullptr) {
    life->checked = now;
    if (identity.empty() || (identity == life->identity && !again)) {
      return;
    }
  }
  std::vector<Mapping> mappings =
      parse_maps(read_file(fmt::format("/proc/{}/maps", pid), kMaxMapsBytes));
  const auto read = Clock::now();
  // A process that is exiting has no mappings left; the earlier ones are true.
  if (mappings.empty() && life != nullptr) {
    life->read = read;
    life->cost = read - now;
    return;
  }
  if (life == nullptr || (!life->identity.empty() && life->identity != identity)) {
    life = &begin_life(pid);
  }
  life->checked = now;
  life->read = read;
  life->cost = read - now;
  life->identity = std::move(identity);
  life->is_whole = is_followed_ && !mappings.empty();
  life->mappings = std::make_shared<std::vector<Mapping>>(std::move(mappings));
  life->jit.reset();
}

bool Processes::survey(std::chrono::nanoseconds most) {
  const auto end = Clock::now() + most;
  if (!left_) {
    left_.emplace();
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
      const std::string name = entry.path().filename().string();
      std::int32_t pid = 0;
      const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
      if (parsed.ec == std::errc() && parsed.ptr == name.data() + name.size()) {
        left_->push_back(pid);
      }
    }
  }
  while (!left_->empty()) {
    refresh(left_->back(), false);
    left_->pop_back();
    if (Clock::now() >= end) {
      return left_->empty();
    }
  }
  return true;
}

Processes::Place Processes::find(std::int32_t pid, std::uint64_t address) {
  note(pid, false);
  const auto look_up = [&]() -> Place {
    const auto known = processes_.find(pid);
    if (known == processes_.end()) {
      return {};
    }
    std::deque<Life>& lives = known->second.lives;
    for (auto life = lives.rbegin(); life != lives.rend(); ++life) {
      if (const Mapping* mapping = holding(*life->mappings, address)) {
        return {&*life, mapping};
      }
    }
    return {};
  };
  Place place = look_up();
  if (place.mapping == nullptr) {
    const auto known = processes_.find(pid);
    const Life* life = known == processes_.end() || known->second.lives.empty()
                           ? nullptr
                           : &known->second.lives.back();
    // It may have mapped a library since. At most a tenth of the time is spent so.
    if (life != nullptr && Clock::now() - life->read >= 9 * life->cost) {
      note(pid, true);
      place = look_up();
    }
  }
  return place;
}

}  // namespace dt::symbol
