#pragma once
// What is known of processes and of the code that they map, also of those that
// have ended.
//
// A life of a process is from an exec to the next one, or to its end. It is read
// from /proc when it is first asked for, and again when that may have changed; and,
// where the kernel tells what happens (kernel/process_events.h), it is whole from
// then on, however short.

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel/process_events.h"
#include "symbol/process/process.h"

namespace dt::symbol {

struct Life {
  using Clock = std::chrono::steady_clock;

  // Ascending.
  const std::vector<Mapping>& mappings() const { return owned->list; }
  // The functions of its JIT. They are read at the first look-up, and again after the last holder
  // has released them.
  std::weak_ptr<const std::vector<JitSymbol>> jit;
  Clock::time_point jit_checked{};
  bool is_looked_through = false;  // its maps were read for deleted files that must be kept open

 private:
  friend class Processes;
  // Counts the bytes of all of them.
  struct Counted {
    std::vector<Mapping> list;
    std::size_t bytes = 0;
    std::shared_ptr<std::size_t> total;

    Counted(std::vector<Mapping> mappings, std::shared_ptr<std::size_t> all);
    ~Counted() { *total -= bytes; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    void add(Mapping mapping);
  };
  // Shared with the lives that were forked off and have mapped nothing since.
  std::shared_ptr<Counted> owned;
  std::string identity;         // process_identity() when /proc was read
  bool is_whole = false;        // whatever it maps comes as an event
  Clock::time_point checked{};  // that it is the same one
  Clock::time_point read{};     // its mappings
  Clock::duration cost{};       // of reading them
};

class Processes {
 public:
  // From now on, learn() receives every change; before, /proc is read now and then.
  void follow() { is_followed_ = true; }
  bool are_followed() const { return is_followed_; }
  // `edition`: Mapping::edition of what is mapped.
  void learn(const kernel::ProcessEvent& event, std::uint32_t edition = 0);
  // Events are missing: what is known may be out of date.
  void doubt();

  // Reads what /proc says of it, unless that is known; `again`: even so. Its latest life;
  // nullptr when nothing is known of it.
  Life* note(std::int32_t pid, bool again);
  // The same for all that there are, for at most `most`; false when some are left.
  bool survey(std::chrono::nanoseconds most);

  // The mapping that holds the address, and the life that it is of, the latest that
  // has one; nullptr when there is none.
  struct Place {
    Life* life = nullptr;
    const Mapping* mapping = nullptr;
  };
  Place find(std::int32_t pid, std::uint64_t address);
  // The code of files next to an address that is none of code, below it and above, as
  // find() left it; of the latest life first. That address may be data of these files.
  std::vector<const Mapping*> neighbours(std::int32_t pid, std::uint64_t address) const;

  // What is mapped by processes whose symbols are wanted, a file perhaps many times.
  void each_wanted(const std::function<void(std::int32_t pid, const Mapping&)>& visit) const;

 private:
  using Clock = Life::Clock;
  struct Process {
    std::deque<Life> lives;
    bool is_over = false;
    bool is_wanted = false;  // its symbols are needed
  };

  Life& begin_life(std::int32_t pid);
  void refresh(std::int32_t pid, bool again);
  void end(std::int32_t pid);
  bool forget_eldest();
  void keep_bounds();

  std::unordered_map<std::int32_t, Process> processes_;
  std::deque<std::int32_t> over_;  // in the order of their ends
  bool is_followed_ = false;
  std::shared_ptr<std::size_t> bytes_ = std::make_shared<std::size_t>(0);
  std::optional<std::vector<std::int32_t>> left_;  // by survey()
};

}  // namespace dt::symbol
