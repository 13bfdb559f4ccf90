#pragma once
// Where glibc's code for the locks of pthreads begins, returns and waits. Its inner functions
// have no names in the library that is installed, so they are found by following the
// jumps and calls of those that programs call:
//
//   pthread_mutex_lock  -- call -->  (waits)     a futex system call in there is a wait
//        |
//        +-- jmp -->  (the rest of it)           what returns in there returns from the function

#include <array>
#include <cstdint>
#include <vector>

#include "provider/glibc/glibc_code.h"

namespace dt::provider {

// What a function does with a lock, by which its arguments and results are read.
enum class LockCall : std::uint8_t {
  kMutex,
  kCondition,  // releases the mutex that is its second argument, and has it again in the end
  kMutexRelease,
  kReader,
  kWriter,
  kRwRelease,
};

struct LockFunction {
  const char* name;
  LockCall call;
  bool waits;
};

constexpr std::array kLockFunctions = {
    LockFunction{"pthread_mutex_lock", LockCall::kMutex, true},
    LockFunction{"pthread_mutex_trylock", LockCall::kMutex, false},
    LockFunction{"pthread_mutex_timedlock", LockCall::kMutex, true},
    LockFunction{"pthread_mutex_clocklock", LockCall::kMutex, true},
    LockFunction{"pthread_mutex_unlock", LockCall::kMutexRelease, false},
    LockFunction{"pthread_cond_wait", LockCall::kCondition, true},
    LockFunction{"pthread_cond_timedwait", LockCall::kCondition, true},
    LockFunction{"pthread_cond_clockwait", LockCall::kCondition, true},
    LockFunction{"pthread_rwlock_rdlock", LockCall::kReader, true},
    LockFunction{"pthread_rwlock_tryrdlock", LockCall::kReader, false},
    LockFunction{"pthread_rwlock_timedrdlock", LockCall::kReader, true},
    LockFunction{"pthread_rwlock_clockrdlock", LockCall::kReader, true},
    LockFunction{"pthread_rwlock_wrlock", LockCall::kWriter, true},
    LockFunction{"pthread_rwlock_trywrlock", LockCall::kWriter, false},
    LockFunction{"pthread_rwlock_timedwrlock", LockCall::kWriter, true},
    LockFunction{"pthread_rwlock_clockwrlock", LockCall::kWriter, true},
    LockFunction{"pthread_rwlock_unlock", LockCall::kRwRelease, false},
};

// All are offsets in the file.
struct LockCode {
  // Before a system call: machine::SystemCall.
  struct Wait {
    std::uint64_t offset = 0;
    std::uint8_t keeps = 0, flips = 0;
  };
  std::array<CallSites, kLockFunctions.size()> functions;
  std::vector<Wait> waits;
};

// The error says in words what in that glibc is not as it must be.
Result<LockCode> lock_code(const Image& image);

}  // namespace dt::provider
