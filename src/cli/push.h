#pragma once
// -x push: starts the process that sends metrics (page/push.h), and gives it the run's.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "dtrace/tracer.h"
#include "page/push.h"

namespace dt::cli {

class Push {
 public:
  explicit Push(std::function<void(std::string_view text)> say) : say_(std::move(say)) {}

  // Before tracing begins, and only if the options ask for it.
  dtrace::Status open(dtrace::Tracer& tracer);
  void flush();
  bool is_open() const { return process_ != nullptr; }
  bool is_behind() const { return process_ != nullptr && process_->has_waiting(); }
  // Tracing is over: waits for what is on its way, and says what was lost.
  void finish();

 private:
  void look();

  std::function<void(std::string_view text)> say_;
  std::unique_ptr<page::PushProcess> process_;
  std::string url_;
  bool has_said_ = false;
};

}  // namespace dt::cli
