#pragma once
// What a run makes of its records and aggregations beside text, JSON and CSV, as its options ask:
// pictures, samples, exports and view lines. Of a session's variables: variable_pictures.h.

#include <cstdint>
#include <memory>
#include <span>

#include "api/options/request.h"
#include "api/output/export.h"
#include "api/output/views.h"
#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "view/lines.h"

namespace dt::api {

class Pictures;

class Renderings {
 public:
  // Of all that `consumer` is given from now on. All references must outlive this.
  Renderings(const Traced& traced, view::LineHead head, const view::Flames* base,
             consumer::Consumer& consumer, consumer::FileOutput& output, const Place& place);
  ~Renderings();

  // Whether refresh() is to be called at times at which no tick of the program reads aggregations.
  bool wants_refresh() const;
  void refresh(std::int64_t time_ns);
  // All counters of losses, since the start.
  void drops(std::span<const std::uint64_t> counters);
  // The aggregations of the end, in the form of the output.
  Status print_aggregations(std::span<const std::uint64_t> drops, std::int64_t time_ns);
  // Behind them. `status` is that of the run.
  Status finish_views(std::span<const std::uint64_t> drops, std::int64_t time_ns,
                      std::int32_t status);
  // Null: the form of the output is no picture.
  const Pictures* pictures() const { return pictures_.get(); }

 private:
  const Options& options_;
  consumer::Consumer& consumer_;
  consumer::FileOutput& output_;
  const Place& place_;
  std::unique_ptr<Pictures> pictures_;  // -x oformat=svg and similar
  std::unique_ptr<Export> export_;      // -x oformat=chrome and similar
  std::unique_ptr<Views> views_;        // -x oformat=views and similar, -x listen
};

}  // namespace dt::api
