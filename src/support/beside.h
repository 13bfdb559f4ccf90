#pragma once
// Work that is done beside the caller's, by a thread.

#include <pthread.h>
#include <signal.h>

#include <future>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

namespace dt::support {

// What `work` gives, later. The thread takes no signals: those are for the caller. nullopt: there
// are no more threads, and the caller does it itself.
template <typename Work>
std::optional<std::future<std::invoke_result_t<Work>>> beside(Work work) {
  try {
    return std::async(std::launch::async, [work = std::move(work)]() mutable {
      sigset_t all;
      sigfillset(&all);
      ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
      return work();
    });
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

}  // namespace dt::support
