#pragma once
// -x oformat=folded, svg and speedscope: what is made of a run's aggregations at its end.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "api/options/request.h"
#include "api/output/export.h"
#include "api/output/terminal.h"
#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "exports/picture.h"
#include "record/schema.h"
#include "view/charts.h"
#include "view/flames.h"
#include "view/plan.h"
#include "view/timeline_maker.h"

namespace dt::api {

// What was traced: "profile-97 { @[ustack()] = count(); }", "x.d".
std::string title_of(const Request& request);
bool is_picture(const Options& options);
// Whether what it is must not reach a terminal.
bool is_binary(const Options& options);
// An error where the format has nothing to show of such a program.
Status check_picture(const Options& options, const record::Schema& schema,
                     const std::vector<view::View>& views);

class Pictures {
 public:
  // All references must outlive this.
  explicit Pictures(const Traced& traced);

  // What the script removes during the run belongs to the picture, too.
  void watch(consumer::Consumer& consumer, consumer::FileOutput& output);
  // Nothing when the consumer has given up.
  Status draw(consumer::Consumer& consumer, consumer::FileOutput& output, const End& end);

  const view::Flames& flames() const { return flames_; }
  // Flame graphs show the difference to those of another run, which must outlive this.
  void compare_with(const view::Flames* base) { base_ = base; }

 private:
  Status draw_charts(consumer::Consumer& consumer, consumer::FileOutput& output, const End& end);
  void add_layers(exports::Picture& picture, bool shows_all) const;
  // The names of aggregations that have rows, but no stacks among their keys; "" if there are none.
  Result<std::string> counted_without_stacks(consumer::Consumer& consumer) const;
  std::string shown(const view::Flame& flame) const;
  std::vector<std::string> keys_of(const view::Flame& flame) const;

  Traced traced_;
  const Callbacks& callbacks_;
  const Options& options_;
  const record::Schema& schema_;
  const Sources& sources_;
  const std::vector<view::View>& views_;
  view::Flames flames_;
  const view::Flames* base_ = nullptr;
  std::optional<view::ChartMaker> charts_;  // instead of a flame graph
  std::optional<Terminal> terminal_;
  std::optional<view::TimelineMaker> timeline_;
};

}  // namespace dt::api
