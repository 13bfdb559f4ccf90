#pragma once
// Attachment: what runs a program, as long as it lives.

#include <cstdint>

#include "support/result.h"

namespace dt::provider {

// Keeps something attached; its destructor detaches.
class Attachment {
 public:
  virtual ~Attachment() = default;
  // BEGIN has run: what counts time from the start of tracing (tick-N) begins.
  virtual Status go() { return {}; }
  // Work that this attachment needs done by a thread of ours (tick-N's timer):
  // a file descriptor to wait on, or -1, and what to do when it is readable.
  virtual int wait_fd() const { return -1; }
  virtual void ready() {}
  // Firings lost that the kernel did not hand to us (sampling beside a busy CPU).
  virtual std::uint64_t lost() { return 0; }
};

// When a program runs.
enum class Role : std::uint8_t {
  kAttached,  // whenever its probes fire
  kBegin,     // once, when tracing goes
  kEnd,       // once, when tracing stops
};

}  // namespace dt::provider
