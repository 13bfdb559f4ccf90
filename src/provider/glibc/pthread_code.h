#pragma once
// Where glibc's functions of threads begin and return, and other places of its code that matter:
//
//   start_thread            what a new thread runs: it calls the start routine, keeps what that
//                           returns, and goes on to end the thread. Threads that exit or are
//                           cancelled come to the same place by a longjmp.
//   __libc_start_call_main  where the first thread comes to when it exits
//   pthread_cond_wait       its own calls of pthread_cond_signal are no signals of the program
//   sem_wait                where errno is, relative to the thread
//
// They are derived from what the code does, as the installed library has no symbols for them.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "provider/glibc/thread_code.h"

namespace dt::provider {

// What a function does, by which its arguments and results are read.
enum class PthreadCall : std::uint8_t {
  // These tell something when they return.
  kCreate,
  kJoin,
  kDetach,
  kName,
  kCondition,
  kBarrier,
  kSemaphore,
  // These only when they are called.
  kCancel,
  kKill,
  kSignal,
  kBroadcast,
  kPost,
  // And these are not called by programs.
  kThread,
  kMain,
};

struct PthreadFunction {
  const char* name;
  PthreadCall call;
};

constexpr std::array kPthreadFunctions = {
    PthreadFunction{"pthread_create", PthreadCall::kCreate},
    PthreadFunction{"start_thread", PthreadCall::kThread},
    PthreadFunction{"__libc_start_call_main", PthreadCall::kMain},
    PthreadFunction{"pthread_join", PthreadCall::kJoin},
    PthreadFunction{"pthread_tryjoin_np", PthreadCall::kJoin},
    PthreadFunction{"pthread_timedjoin_np", PthreadCall::kJoin},
    PthreadFunction{"pthread_clockjoin_np", PthreadCall::kJoin},
    PthreadFunction{"pthread_detach", PthreadCall::kDetach},
    PthreadFunction{"pthread_setname_np", PthreadCall::kName},
    PthreadFunction{"pthread_cancel", PthreadCall::kCancel},
    PthreadFunction{"pthread_kill", PthreadCall::kKill},
    PthreadFunction{"pthread_sigqueue", PthreadCall::kKill},
    PthreadFunction{"pthread_cond_wait", PthreadCall::kCondition},
    PthreadFunction{"pthread_cond_timedwait", PthreadCall::kCondition},
    PthreadFunction{"pthread_cond_clockwait", PthreadCall::kCondition},
    PthreadFunction{"pthread_cond_signal", PthreadCall::kSignal},
    PthreadFunction{"pthread_cond_broadcast", PthreadCall::kBroadcast},
    PthreadFunction{"pthread_barrier_wait", PthreadCall::kBarrier},
    PthreadFunction{"sem_wait", PthreadCall::kSemaphore},
    PthreadFunction{"sem_trywait", PthreadCall::kSemaphore},
    PthreadFunction{"sem_timedwait", PthreadCall::kSemaphore},
    PthreadFunction{"sem_clockwait", PthreadCall::kSemaphore},
    PthreadFunction{"sem_post", PthreadCall::kPost},
};

// Offsets are in the file, addresses as the file has them.
struct PthreadCode {
  struct OfFunction {
    std::vector<std::uint64_t> entries;  // one for each version
    std::vector<std::uint64_t> returns;
  };
  std::array<OfFunction, kPthreadFunctions.size()> functions;

  // Code whose calls of pthread_cond_signal and pthread_cond_broadcast are glibc's own.
  struct Range {
    std::uint64_t from = 0, to = 0;
    bool operator==(const Range&) const = default;
  };
  static constexpr std::size_t kMostRanges = 4;
  std::vector<Range> inner;

  struct Thread {
    std::vector<std::uint64_t> calls;  // of the start routine, its argument in rdi
    std::uint64_t end = 0;
    // Where the thread's structure has the routine, and later what it returned.
    std::uint32_t routine_at = 0, value_at = 0;
  };
  std::optional<Thread> thread;
  std::string why_no_thread;
  std::optional<std::uint64_t> main_end;

  std::optional<ErrorNumber> error_number;
};

// The error says in words what in that glibc is not as it must be.
Result<PthreadCode> pthread_code(const Image& image);

}  // namespace dt::provider
