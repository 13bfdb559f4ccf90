#pragma once
// -x oformat=json: one JSON document, in the form that
// FreeBSD's dtrace prints:
//
//     {"dtrace": {"probes": [
//       {"timestamp": ..., "cpu": 3, "id": 81500, "provider": "fbt", ...,
//        "output": [{"message": "..."}, {"value": 1}]}, ...
//     ]}}

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "consumer/structured/drops.h"
#include "consumer/value/value.h"
#include "record/layout.h"
#include "record/schema.h"
#include "record/wire.h"
#include "support/json.h"

namespace dt::consumer {

class JsonDocument {
 public:
  JsonDocument(const record::Schema& schema, FieldText& fields)
      : schema_(schema), fields_(fields) {}

  // A formatted action's text; what printa() shows, written into an array.
  using Text = std::function<std::string(std::size_t action)>;
  using Printa = std::function<void(support::Json& output, const record::Action& action)>;

  void append_record(std::string& out, const record::Header& header, const record::Layout& layout,
                     Bytes bytes, const Text& text, const Printa& printa);
  // What belongs to no probe: drops, and the aggregations that are left.
  void append_drop(std::string& out, const Loss& loss);
  void append_aggregations(std::string& out,
                           const std::function<void(support::Json& output)>& write);
  // The document's end, and its beginning where nothing came before.
  void append_end(std::string& out);

 private:
  void separate(std::string& out);
  void row(support::Json& output, const record::Layout& layout, const record::Action& action,
           Bytes bytes);
  static void begin_internal(support::Json& json, const char* name, int cpu);
  void action(support::Json& output, const record::Layout& layout, std::size_t index, Bytes bytes,
              const Text& text);

  const record::Schema& schema_;
  FieldText& fields_;
  bool begun_ = false;
  std::map<std::pair<std::string, int>, std::uint64_t> lost_;  // of each kind and CPU, until now
};

}  // namespace dt::consumer
