#pragma once
// The forms of output that need the whole run, or its moments, beside text, JSON and CSV: timelines
// and metrics.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/options/request.h"
#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "record/schema.h"
#include "view/plan.h"

namespace dt::api {

struct Traced {  // what all of them are made from; all must outlive them
  std::string title;
  const Callbacks& callbacks;
  const Options& options;
  const record::Schema& schema;
  const Sources& sources;
  const std::vector<view::View>& views;
  std::int64_t start_ns = 0;                  // since 1970
  std::string host = {};                      // on which was traced
  std::string_view view_option = "-x view=";  // which chooses a view
};

struct End {
  std::span<const std::uint64_t> drops;  // record::kDropCounters values per CPU
  std::int64_t time_ns = 0;              // since 1970
  const Place& place;
};

class Export {
 public:
  virtual ~Export() = default;
  virtual void watch(consumer::Consumer& consumer, consumer::FileOutput& output) = 0;
  // Whether it is called at times at which no tick of the program reads aggregations.
  virtual bool wants_refresh() const { return false; }
  virtual void refresh(consumer::Consumer&, std::int64_t /*time_ns*/) {}
  // Called once, before the first record: `place` must outlive this.
  virtual void write_to(const Place& /*place*/) {}
  // Nothing is printed when the consumer has given up.
  virtual Status finish(consumer::Consumer& consumer, consumer::FileOutput& output,
                        const End& end) = 0;
};

bool is_export(const Options& options);
// An error where the format has nothing to show of such a program.
Status check_export(const Options& options, const record::Schema& schema,
                    const std::vector<view::View>& views);
std::unique_ptr<Export> make_export(const Traced& traced);

// A document takes the place of what the file has held.
Status replace_output(consumer::FileOutput& output, const Place& place, std::string_view text);

// Lost firings and values in all.
std::uint64_t all_drops(std::span<const std::uint64_t> drops);

// export_timeline.cc, export_metrics.cc, export_ctf.cc
std::unique_ptr<Export> make_timeline_export(const Traced& traced);
std::unique_ptr<Export> make_metrics_export(const Traced& traced);
std::unique_ptr<Export> make_ctf_export(const Traced& traced);

// What oformat=prometheus or otlp would write, whatever the form of the output is: it is given to
// `put`, once a second at most, and at the end. Of graphite: its lines, at each tick.
std::unique_ptr<Export> make_metrics_stream(const Traced& traced, std::string format,
                                            std::function<void(std::string_view text)> put);
// The format in which -x push sends.
std::string push_format(const Options& options);

}  // namespace dt::api
