#pragma once
// -x base: a recording whose flame graphs others are compared with.

#include <memory>
#include <string>

#include "support/result.h"

namespace dt::kernel {
class Kernel;
}

namespace dt::view {
class Flames;
}

namespace dt::api {

class BaseRecording {
 public:
  // Reads it to its end. An error where not all of it can be read, or where it has no stacks of the
  // aggregation `name`. They begin with the function `root`, if it is not "". `kernel` must outlive
  // the result; nothing is traced.
  static Result<std::unique_ptr<BaseRecording>> read(const std::string& file,
                                                     const std::string& name,
                                                     const std::string& root,
                                                     kernel::Kernel& kernel);
  ~BaseRecording();
  const view::Flames& flames() const;

 private:
  // The pipeline of a replay whose picture is written nowhere. In base_recording.cc.
  struct Replayed;
  explicit BaseRecording(std::unique_ptr<Replayed> replayed);

  std::unique_ptr<Replayed> replayed_;
};

}  // namespace dt::api
