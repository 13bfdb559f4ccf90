#pragma once
// Memory, as the firing has recorded it. Handlers of begin, end and timers read the kernel's memory
// as it is when they run; those of processes that live when the run begins, also that of the
// process. See meaning/access.h, meaning/memory_bytes.h and events/origins.h.

#include <cstdint>
#include <string>

#include "stap/home/execution.h"
#include "stap/meaning/access.h"

namespace dt::stap {

class RecordedMemory {
 public:
  // `run` must outlive this.
  explicit RecordedMemory(const Execution& run) : run_(run) {}

  // Why memory has no value.
  struct Fault {
    std::string text;
    bool is_of_read = false;  // it cannot be read
  };

  bool is_readable(const AccessStep& text, std::uint64_t address) const;
  // What the step loads; false after a fault.
  bool load(const AccessStep& step, std::uint64_t address, Value& out, Fault& fault) const;
  // What $x$ shows of a value or of what is at an address.
  bool show(const Access& of, std::int64_t at, std::string& out, Fault& fault) const;
  // So many bytes.
  bool bytes(const AccessBytes& of, std::uint64_t at, std::size_t wanted, std::string& out,
             Fault& fault) const;
  // Characters of 2 or 4 bytes, as UTF-8. What is recorded ends the text, too.
  bool wide_text(const AccessBytes& of, std::uint64_t at, std::string& out, Fault& fault) const;

 private:
  bool reads_now() const { return run_.firing == nullptr || run_.firing->is_now; }
  bool read_now(const AccessStep& step, std::uint64_t address, Value& out) const;
  bool word(std::uint64_t address, std::uint32_t size, bool is_userland, std::string& out) const;

  const Execution& run_;
};

}  // namespace dt::stap
