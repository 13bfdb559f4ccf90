#pragma once
// EntryValues: values that handlers at entries of functions and system calls keep for the handlers
// at the returns of the same calls: $x of a .return, @entry(...).
//
// A handler at an entry (Handler::is_entry) has computed them as local variables. They are kept by
// handler and thread; of nested calls of one function, the innermost is the last. A thread is in
// one system call at a time, so there a new entry replaces the old one.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "stap/home/machine.h"
#include "stap/meaning/program.h"

namespace dt::stap {

class EntryValues {
 public:
  // The handler at an entry has just run in the machine, for this firing.
  void keep(const Handler& entry, const Firing& firing, const Machine& machine);
  // Puts the values of the call that returns into `firing`, which is of `handler`. False if the
  // entry of the call was not seen, because the call began before the probes were attached.
  bool restore(const Handler& handler, const Handler& entry, Firing& firing);
  // Entries whose values were given up, because too many threads had not returned.
  std::int64_t skipped() const { return skipped_; }

 private:
  struct Kept {
    std::vector<Value> values;
    std::vector<std::string> faults;  // by value: why it could not be read; or ""
  };
  std::map<std::pair<const Handler*, std::int64_t>, std::vector<Kept>> kept_;
  std::int64_t skipped_ = 0;
};

}  // namespace dt::stap
