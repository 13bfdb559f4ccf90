#pragma once
// Pictures of a session's variables that are made while its handlers run: -x listen, -x push, and
// oformat=term, html and views.
//
// The variables are aggregations (api/output/variable_tables.h) that are read as those of D are:
// each handler that prints some is a tick that prints them, and one that empties some a clear(). So
// what was counted until then is counted, and not lost:
//
//     variable     0 ... 7 | { foreach (k in n) print ... delete n } | 0 ... 5 |
//     counted              7                                         0         5
//
// Variables that no timer prints or empties are read every second (-x aggrate).

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "api/options/request.h"
#include "api/output/handler_tables.h"
#include "api/output/variable_tables.h"
#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "front/session.h"
#include "support/result.h"
#include "view/plan.h"

namespace dt::view {
struct LineHead;
}

namespace dt::api {

class Pictures;
class Views;

class VariablePictures {
 public:
  // All references must outlive this. check_variables() has found nothing wrong with the options.
  VariablePictures(front::Session& session, const Options& options, const Callbacks& callbacks,
                   const view::LineHead& head, consumer::FileOutput& output);
  ~VariablePictures();

  // front::Session::Outlet::around
  void around(std::uint32_t keeper, const std::function<void()>& handler);
  // Now and then.
  void refresh();
  void drops(std::span<const std::uint64_t> counters);
  // Behind the last handler. The output, if the form of it is one of these.
  Status finish(const Shown& run, const Place& place);

 private:
  void say_what_is_left_out();

  front::Session& session_;
  const Callbacks& callbacks_;
  consumer::FileOutput& output_;
  VariableTables tables_;
  std::vector<view::View> views_;
  consumer::Consumer consumer_;
  std::unique_ptr<Views> lines_;
  std::unique_ptr<Pictures> term_;
  bool is_in_handler_ = false;
  bool has_said_ = false;  // what is left out
};

}  // namespace dt::api
