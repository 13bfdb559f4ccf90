#pragma once
// What the kernel takes long to tell, and tells in the same words until a module comes or
// goes, is kept for the next command.

#include <functional>
#include <string>

#include "support/result.h"

namespace dt::kernel {

// Where it is kept, and by which files the state of the kernel is recognised; tests have others.
struct KeptPlaces {
  std::string directory = "/run/dtrace";
  std::string boot = "/proc/sys/kernel/random/boot_id";
  std::string modules = "/proc/modules";
};

// What `make` gives, or what it gave a process of this user since the kernel was started,
// with the modules that it has now. Kept in a file of this name, which only this user may
// write; where that cannot be, or while a module comes or goes, `make` is asked each time.
Result<std::string> kept_text(const std::string& name,
                              const std::function<Result<std::string>()>& make,
                              const KeptPlaces& places = {});

}  // namespace dt::kernel
