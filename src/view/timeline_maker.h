#pragma once
// A timeline of the records of a run: what the views say of each (plan.h).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "consumer/value/value.h"
#include "record/schema.h"
#include "record/wire.h"
#include "support/source.h"
#include "view/plan.h"
#include "view/spans.h"
#include "view/timeline.h"

namespace dt::view {

class TimelineMaker {
 public:
  // All references must outlive this.
  TimelineMaker(const record::Schema& schema, const Sources& sources,
                const std::vector<View>& views);

  void record(const record::Header& header, const record::Layout& layout, consumer::Bytes bytes,
              consumer::FieldText& fields);
  // `text` says what was lost since it was called last, `total` in all.
  void lost(const std::string& text, std::uint64_t total);
  void count(const std::string& name, const std::string& unit, std::int64_t time_ns,
             std::int64_t value);
  // When the last record was made, ns since 1970.
  std::int64_t latest_ns() const { return latest_ns_; }

  // What is there, in order; nothing is added any more.
  const Timeline& finish(std::string title);
  // Behind finish().
  const Timeline& timeline() const { return timeline_; }

 private:
  struct Shown {  // of a layout
    const View* view = nullptr;
    std::vector<Role> roles;  // of a pair, by enabled probe - 1
    Spans* spans = nullptr;
    std::optional<record::Field> duration, key, name, command;
    std::vector<std::pair<record::Field, std::uint32_t>> values;  // with their names as texts
  };
  struct Event;  // a record

  void plan(std::uint32_t layout, const View& view, Spans* spans);
  void side(const Shown& shown, const Role& role, Event& event);
  void duration(const Shown& shown, Event& event);
  void moment(const Shown& shown, Event& event);
  std::uint32_t pair_name(const Shown& shown, const Role& role, Event& event);
  std::vector<Detail> details(const Shown& shown, Event& event);
  std::uint32_t stack(const Shown& shown, Event& event);

  const record::Schema& schema_;
  const Sources& sources_;
  Timeline timeline_;
  std::vector<std::unique_ptr<Spans>> spans_;
  std::vector<Shown> shown_;               // by layout
  std::vector<std::uint32_t> pair_names_;  // by enabled probe - 1, + 1; 0: not known yet
  std::int64_t latest_ns_ = 0;
};

}  // namespace dt::view
