#pragma once
// What lasted: records of two probes that begin and end something, or of one that says how long it
// took, become spans of time.
//
//     entry(a)   entry(b)   return(b)   return(a)      by thread: what began last ends first
//     |          |----------|           |
//     |---------------------------------|
//
// Every record is in the totals: matched pairs, ends without a beginning, and what is still open.
//
// A page may be open for days, so nothing is remembered of a thread that has nothing open. Spans
// (view/spans.h) keeps a whole run, and tells what began before it from what has no partner.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "consumer/value/value.h"
#include "record/schema.h"
#include "record/wire.h"
#include "support/source.h"
#include "view/plan.h"

namespace dt::view {

struct Lasted {
  std::int64_t begin_ns = 0, end_ns = 0;  // since 1970
  std::string lane;                       // the row of a timeline: "tid 1234", "cpu 2"
  std::string name;
};

class Lasting {
 public:
  // `view` is one of the kind timeline. `schema` must outlive this.
  Lasting(const record::Schema& schema, const Sources& sources, const View& view);

  // The span that a record ends; nothing where it begins one, is none of the view's, or ends what
  // has not begun.
  std::optional<Lasted> take(consumer::FieldText& fields, const record::Header& header,
                             const record::Layout& layout, consumer::Bytes bytes);

  struct Totals {
    std::uint64_t matched = 0;    // spans
    std::uint64_t unmatched = 0;  // records that end what has not begun, or begin one too many
    std::uint64_t open = 0;       // records that begin what has not ended
  };
  Totals totals() const { return {matched_, unmatched_, open_count_}; }

 private:
  struct Begun {
    std::int64_t time_ns;
    std::string lane, name;
  };
  std::string key_of(consumer::FieldText& fields, const record::Header& header,
                     const record::Layout& layout, consumer::Bytes bytes) const;
  std::string lane_of(const record::Header& header, const record::Layout& layout,
                      consumer::Bytes bytes) const;
  std::string name_of(consumer::FieldText& fields, const record::Header& header,
                      const record::Layout& layout, consumer::Bytes bytes) const;
  std::optional<Lasted> measured(consumer::FieldText& fields, const record::Header& header,
                                 const record::Layout& layout, consumer::Bytes bytes);

  const record::Schema& schema_;
  const Sources& sources_;
  View view_;
  std::vector<Role> roles_;  // of a pair, by enabled probe id - 1
  std::map<std::string, std::vector<Begun>> open_;
  std::uint64_t matched_ = 0, unmatched_ = 0, open_count_ = 0;
};

}  // namespace dt::view
