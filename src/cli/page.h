#pragma once
// -x listen: starts the page process (page/process.h) and gives it the run's view lines.

#include <functional>
#include <memory>
#include <string_view>

#include "dtrace/tracer.h"
#include "page/process.h"

namespace dt::cli {

class Page {
 public:
  explicit Page(std::function<void(std::string_view text)> say) : say_(std::move(say)) {}

  // Before tracing begins, and only if the options ask for it. Says where the page is.
  dtrace::Status open(dtrace::Tracer& tracer);
  void flush();
  bool is_open() const { return process_ != nullptr; }
  bool is_behind() const { return process_ != nullptr && process_->has_waiting(); }
  // Tracing is over: until a person ends the page, or it ends itself. `woken` is called meanwhile.
  void stay(dtrace::Tracer& tracer, const std::function<void()>& woken);

 private:
  void look();

  std::function<void(std::string_view text)> say_;
  std::unique_ptr<page::PageProcess> process_;
};

}  // namespace dt::cli
