#pragma once
// -x oformat=term of records: events as lines while they come, spans and samples as pictures at the
// end.

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "consumer/consumer.h"
#include "consumer/output/output.h"
#include "exports/term.h"
#include "record/schema.h"
#include "support/source.h"
#include "view/charts.h"
#include "view/plan.h"

namespace dt::api {

class TerminalRecords {
 public:
  // All references must outlive this. Of `views`, those of records are shown.
  TerminalRecords(const record::Schema& schema, const Sources& sources,
                  const std::vector<view::View>& views);

  void watch(consumer::Consumer& consumer, consumer::FileOutput& output, exports::TermStyle style);
  bool is_empty() const { return rows_.empty() && !charts_; }
  // The pictures, where something was recorded. `start_ns`: since when was traced.
  void finish(consumer::Consumer& consumer, std::int64_t start_ns, std::int64_t end_ns);

 private:
  struct Rows {  // of a layout whose records are lines
    const view::View* view = nullptr;
    std::vector<std::pair<record::Field, std::string>> values;  // with their names
  };
  void write_row(const Rows& rows, const record::Header& header, const record::Layout& layout,
                 std::span<const std::uint8_t> bytes, consumer::FieldText& fields);

  const record::Schema& schema_;
  const Sources& sources_;
  std::vector<std::optional<Rows>> by_layout_;
  std::vector<const view::View*> rows_;
  std::optional<view::ChartMaker> charts_;
  consumer::FileOutput* output_ = nullptr;
  exports::TermStyle style_;
  std::set<const view::View*> titled_;
};

}  // namespace dt::api
