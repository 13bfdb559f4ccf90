#pragma once
// What the consumer decodes -> the values of dtrace/record.h.

#include <cstdint>
#include <functional>
#include <string>

#include "api/options/request.h"
#include "consumer/aggregation/aggregate.h"
#include "consumer/receiver.h"
#include "dtrace/record.h"
#include "front/session.h"
#include "record/layout.h"
#include "record/schema.h"
#include "record/wire.h"
#include "support/result.h"
#include "support/source.h"

namespace dt::consumer {
class Consumer;
}

namespace dt::api {

class Values final : public consumer::Receiver {
 public:
  // All references must outlive this.
  Values(const record::Schema& schema, const Sources& sources, const Callbacks& callbacks)
      : schema_(schema), sources_(sources), callbacks_(callbacks) {}

  // The session of the language, which takes each record first; null: there is none.
  void give_to(front::Session* session) { session_ = session; }

  bool wants_records() const override {
    return session_ != nullptr || static_cast<bool>(callbacks_.record);
  }
  bool wants_faults() const override { return static_cast<bool>(callbacks_.fault); }
  void record(const record::Header& header, const record::Layout& layout, consumer::Bytes bytes,
              consumer::FieldText& fields, const consumer::RecordLine::Text& text) override;
  void fault(const consumer::ErrorLine& line) override;
  void drop(const consumer::Loss& loss, const std::string& text) override;

  // Each element of an aggregation, in a row that is used again.
  Status read(consumer::Consumer& from, std::uint32_t aggregation,
              const std::function<void(const dtrace::Row&)>& visit) const;
  // An element of an aggregation, into a row that is used again.
  void fill(dtrace::Row& row, consumer::FieldText& fields, consumer::Bytes key,
            const consumer::Aggregate& aggregate, std::uint32_t element) const;

 private:
  void fill(dtrace::Action& out, const record::Layout& layout, const record::Action& action,
            consumer::Bytes bytes, consumer::FieldText& fields) const;

  const record::Schema& schema_;
  const Sources& sources_;
  const Callbacks& callbacks_;
  front::Session* session_ = nullptr;
  dtrace::Record record_;  // used again, so that strings keep their memory
};

}  // namespace dt::api
