#pragma once
// Where a run's view lines go: to the output (-x oformat=views), into a document (html), and to who
// asks for them (-x listen); and metrics, where a callback takes them (-x listen, -x push).

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "api/options/request.h"
#include "api/output/export.h"
#include "api/output/view_lines.h"
#include "consumer/output/output.h"
#include "exports/html.h"

namespace dt::api {

class Views {
 public:
  // All references must outlive this.
  Views(const Callbacks& callbacks, const Options& options, const record::Schema& schema,
        const Sources& sources, const std::vector<view::View>& views, view::LineHead head,
        consumer::FileOutput& output);

  void watch(consumer::Consumer& consumer, const view::Flames* base);
  void refresh(consumer::Consumer& consumer, std::int64_t time_ns);
  void drops(std::span<const std::uint64_t> counters) {
    if (lines_) lines_->drops(counters);
  }
  Status finish(consumer::Consumer& consumer, std::int64_t time_ns,
                std::span<const std::uint64_t> counters, std::int32_t status, const Place& place);

 private:
  void put(std::string_view line);

  const Callbacks& callbacks_;
  const Options& options_;
  consumer::FileOutput& output_;
  std::optional<exports::Html> html_;
  std::vector<std::unique_ptr<Export>> metrics_;  // of Callbacks::metrics and Callbacks::push
  std::optional<ViewLines> lines_;
};

// Whether a run makes any.
bool wants_views(const Options& options, const Callbacks& callbacks);
// The head of the view lines of this machine.
view::LineHead line_head(std::string title, std::int64_t start_ns);

}  // namespace dt::api
