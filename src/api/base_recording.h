#pragma once
// -x base: a recording whose flame graphs others are compared with.

#include <memory>
#include <string>

#include "api/compile.h"
#include "api/replay.h"
#include "api/request.h"
#include "kernel/kernel.h"
#include "support/result.h"
#include "view/flames.h"

namespace dt::api {

class BaseRecording {
 public:
  // Reads it to its end. An error where not all of it can be read, or where it has no stacks of the
  // aggregation `name`. They begin with the function `root`, if it is not "".
  static Result<std::unique_ptr<BaseRecording>> read(const std::string& file,
                                                     const std::string& name,
                                                     const std::string& root,
                                                     kernel::Kernel& kernel);
  const view::Flames& flames() const;

 private:
  explicit BaseRecording(kernel::Kernel& kernel) : compiled_(kernel) {}
  Status run(const std::string& file, const std::string& name, const std::string& root);

  Compiled compiled_;
  Request request_;
  Callbacks callbacks_;
  Place place_;
  std::string said_;
  std::unique_ptr<Replay> replay_;
};

}  // namespace dt::api
