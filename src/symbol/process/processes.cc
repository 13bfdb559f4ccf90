// See processes.h.

#include "symbol/process/processes.h"

#include <fmt/core.h>

#include <algorithm>

#include "support/file.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxProcesses = 65536;
constexpr std::size_t kMaxOver = 16384;           // of them may have ended
constexpr std::size_t kMaxLives = 16;             // of one process
constexpr std::size_t kMaxLearntMappings = 4096;  // that are learnt one by one
constexpr std::size_t kMaxLifeBytes = 4U << 20;
constexpr std::size_t kMaxBytes = 64U << 20;  // of all
// How long what is known of a process is believed without a look.
constexpr auto kFresh = std::chrono::milliseconds(100);

const Mapping* holding(const std::vector<Mapping>& sorted, std::uint64_t address) {
  const Mapping* mapping = last_from(sorted, address);
  return mapping != nullptr && address < mapping->end ? mapping : nullptr;
}

std::size_t bytes_of(const Mapping& mapping) { return sizeof mapping + mapping.path.size(); }

// Of the process; of another thread when the first one has ended, as it has none then.
std::vector<Mapping> read_maps(std::int32_t pid) {
  std::vector<Mapping> mappings = read_mappings(fmt::format("/proc/{}/maps", pid));
  if (!mappings.empty()) {
    return mappings;
  }
  constexpr std::size_t kMostThreads = 4;
  const std::vector<std::int32_t> threads = support::numbers_in(fmt::format("/proc/{}/task", pid));
  for (std::size_t i = 1; i < std::min(threads.size(), kMostThreads) && mappings.empty(); ++i) {
    mappings = read_mappings(fmt::format("/proc/{}/task/{}/maps", pid, threads[i]));
  }
  return mappings;
}

// Where the first one is that ends behind the address.
auto first_behind(std::vector<Mapping>& sorted, std::uint64_t address) {
  return std::upper_bound(
      sorted.begin(), sorted.end(), address,
      [](std::uint64_t value, const Mapping& item) { return value < item.end; });
}

// Whether one of them is still where it was: the same program, not another one.
bool has_any(const std::vector<Mapping>& now, const std::vector<Mapping>& before) {
  return std::any_of(before.begin(), before.end(), [&](const Mapping& old) {
    const Mapping* here = old.inode == 0 ? nullptr : holding(now, old.begin);
    return here != nullptr && here->inode == old.inode && here->device == old.device;
  });
}

// Carries over what /proc does not say when mappings are read again: an event of the kernel says
// which generation of an inode was mapped, /proc/PID/maps does not.
void keep_editions(std::vector<Mapping>& now, const std::vector<Mapping>& before) {
  for (Mapping& mapping : now) {
    const Mapping* old = holding(before, mapping.begin);
    if (old != nullptr && old->inode == mapping.inode && old->device == mapping.device) {
      mapping.generation = old->generation;
      mapping.edition = old->edition;
    }
  }
}

}  // namespace

Life::Counted::Counted(std::vector<Mapping> mappings, std::shared_ptr<std::size_t> all)
    : list(std::move(mappings)), total(std::move(all)) {
  for (const Mapping& mapping : list) {
    bytes += bytes_of(mapping);
  }
  *total += bytes;
}

// Adds a mapping instead of all that was mapped there. mmap() with MAP_FIXED replaces other
// mappings, or parts of them: what remains on both sides stays, and the part behind begins at a
// later offset of its file.
void Life::Counted::add(Mapping mapping) {
  const auto count = [this](const Mapping& one) {
    bytes += bytes_of(one);
    *total += bytes_of(one);
  };
  auto at = first_behind(list, mapping.begin);
  std::vector<Mapping> parts;
  auto end = at;
  for (; end != list.end() && end->begin < mapping.end; ++end) {
    if (end->begin < mapping.begin) {
      parts.push_back(*end);
      parts.back().end = mapping.begin;
    }
    if (end->end > mapping.end) {
      parts.push_back(*end);
      parts.back().begin = mapping.end;
      parts.back().file_offset += mapping.end - end->begin;
    }
    bytes -= bytes_of(*end);
    *total -= bytes_of(*end);
  }
  const std::uint64_t begin = mapping.begin;
  parts.insert(
      std::upper_bound(parts.begin(), parts.end(), begin,
                       [](std::uint64_t value, const Mapping& item) { return value < item.begin; }),
      std::move(mapping));
  std::for_each(parts.begin(), parts.end(), count);
  at = list.erase(at, end);
  list.insert(at, std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()));
}

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
  life.owned = std::make_shared<Life::Counted>(std::vector<Mapping>(), bytes_);
  return life;
}

void Processes::learn(const kernel::ProcessEvent& event, std::uint32_t edition) {
  using Kind = kernel::ProcessEvent::Kind;
  switch (event.kind) {
    // A child has its parent's mappings, which may be thousands: both share one list, until one of
    // them maps something of its own (use_count() > 1).
    case Kind::kFork: {
      refresh(event.parent, false);
      const auto parent = processes_.find(event.parent);
      std::shared_ptr<Life::Counted> owned;
      bool is_whole = false;
      if (parent != processes_.end() && !parent->second.lives.empty()) {
        owned = parent->second.lives.back().owned;
        is_whole = parent->second.lives.back().is_whole;
      }
      Life& life = begin_life(event.pid);
      if (owned != nullptr) {
        life.owned = std::move(owned);
        life.is_whole = is_whole;
      }
      return;
    }
    // Everything from before is gone, and nothing is mapped yet: what is learnt from here on is the
    // whole.
    case Kind::kExec:
      begin_life(event.pid).is_whole = true;
      return;
    case Kind::kMap: {
      const auto known = processes_.find(event.pid);
      const bool is_known = known != processes_.end() && !known->second.lives.empty();
      Life& life = is_known ? known->second.lives.back() : begin_life(event.pid);
      Mapping mapping{event.begin, event.end,  event.file_offset, event.device,
                      event.inode, event.path, event.generation,  edition};
      if (mapping.path.starts_with("//") || mapping.path.find_first_of("/[") != 0) {
        mapping.path.clear();  // anonymous
      }
      const Mapping* old = holding(life.mappings(), mapping.begin);
      if (old != nullptr && *old == mapping) {
        return;
      }
      if (life.mappings().size() >= kMaxLearntMappings || life.owned->bytes >= kMaxLifeBytes) {
        life.is_whole = false;
        return;
      }
      if (life.owned.use_count() > 1) {
        life.owned = std::make_shared<Life::Counted>(life.mappings(), bytes_);
      }
      life.owned->add(std::move(mapping));
      keep_bounds();
      return;
    }
    case Kind::kExit:
      end(event.pid);
      return;
  }
}

void Processes::end(std::int32_t pid) {
  const auto known = processes_.find(pid);
  if (known == processes_.end()) {
    return;
  }
  known->second.is_over = true;
  over_.push_back(pid);
  while (over_.size() > kMaxOver && forget_eldest()) {
  }
}

// Forgets the process that ended first; false when there is none. A process whose addresses were
// looked up gets a second chance: it goes to the end of the queue once, and is forgotten when its
// turn comes again.
bool Processes::forget_eldest() {
  for (std::size_t i = 2 * over_.size(); i > 0; --i) {
    const std::int32_t first = over_.front();
    over_.pop_front();
    const auto dead = processes_.find(first);
    if (dead == processes_.end() || !dead->second.is_over) {
      return true;  // its number was given again
    }
    if (!std::exchange(dead->second.is_wanted, false)) {
      processes_.erase(dead);
      return true;
    }
    over_.push_back(first);
  }
  return false;
}

// The dead first, the eldest of them first. If the living alone are too much, everything is
// forgotten and learnt again when it is needed.
void Processes::keep_bounds() {
  while (*bytes_ > kMaxBytes && forget_eldest()) {
  }
  if (*bytes_ > 2 * kMaxBytes) {
    processes_.clear();
    over_.clear();
  }
}

void Processes::each_wanted(
    const std::function<void(std::int32_t pid, const Mapping&)>& visit) const {
  for (const auto& [pid, process] : processes_) {
    if (!process.is_wanted) {
      continue;
    }
    for (const Life& life : process.lives) {
      for (const Mapping& mapping : life.mappings()) {
        visit(pid, mapping);
      }
    }
  }
}

// Events were lost: what is known of processes may be out of date, and is read again before it is
// used.
void Processes::doubt() {
  for (auto& [pid, process] : processes_) {
    for (Life& life : process.lives) {
      life.is_whole = false;
      life.checked = {};
      life.identity.clear();
    }
  }
  left_.reset();
}

Life* Processes::note(std::int32_t pid, bool again) {
  refresh(pid, again);
  const auto known = processes_.find(pid);
  if (known == processes_.end()) {
    return nullptr;
  }
  known->second.is_wanted = true;
  return known->second.lives.empty() ? nullptr : &known->second.lives.back();
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
  // The start time with the number: numbers are used again. If it is the same, the mappings are
  // read only if asked to.
  std::string identity = process_identity(pid);
  if (life != nullptr) {
    life->checked = now;
    if (identity.empty() || (identity == life->identity && !again)) {
      return;
    }
  }
  std::vector<Mapping> mappings = read_maps(pid);
  const auto read = Clock::now();
  // A process that is exiting has no mappings left; the earlier ones are true.
  if (mappings.empty() && life != nullptr) {
    life->read = read;
    life->cost = read - now;
    return;
  }
  // An exec that is yet to be learnt must not replace what was before.
  const bool is_other =
      life != nullptr &&
      (life->identity.empty() ? !life->mappings().empty() && !has_any(mappings, life->mappings())
                              : life->identity != identity);
  if (life == nullptr || is_other) {
    life = &begin_life(pid);
  } else {
    keep_editions(mappings, life->mappings());
  }
  life->checked = now;
  life->read = read;
  life->cost = read - now;
  life->identity = std::move(identity);
  life->is_whole = is_followed_ && !mappings.empty();
  life->owned = std::make_shared<Life::Counted>(std::move(mappings), bytes_);
  life->jit.reset();
  life->is_looked_through = false;
  keep_bounds();
}

bool Processes::survey(std::chrono::nanoseconds most) {
  const auto end = Clock::now() + most;
  if (!left_) {
    left_ = support::numbers_in("/proc");
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
      if (const Mapping* mapping = holding(life->mappings(), address)) {
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

std::vector<const Mapping*> Processes::neighbours(std::int32_t pid, std::uint64_t address) const {
  std::vector<const Mapping*> found;
  const auto known = processes_.find(pid);
  if (known == processes_.end()) {
    return found;
  }
  const auto is_file = [](const Mapping& one) { return one.inode != 0; };
  const std::deque<Life>& lives = known->second.lives;
  for (auto life = lives.rbegin(); life != lives.rend(); ++life) {
    const std::vector<Mapping>& all = life->mappings();
    const auto above =
        std::upper_bound(all.begin(), all.end(), address,
                         [](std::uint64_t value, const Mapping& one) { return value < one.begin; });
    const auto below = std::find_if(std::make_reverse_iterator(above), all.rend(), is_file);
    if (below != all.rend()) {
      found.push_back(&*below);
    }
    if (const auto next = std::find_if(above, all.end(), is_file); next != all.end()) {
      found.push_back(&*next);
    }
  }
  return found;
}

}  // namespace dt::symbol
