#pragma once
// Connections: what a consumer reads from and writes to.

#include <functional>
#include <string_view>

namespace dt::support {
class Sources;
}

namespace dt::record {
class AggregationSource;
struct Schema;
}  // namespace dt::record

namespace dt::symbol {
class Resolver;
}

namespace dt::consumer {

class Effects;
class Output;
class Receiver;

// All references and pointers must outlive the consumer.
struct Connections {
  const record::Schema& schema;
  const support::Sources& sources;
  symbol::Resolver& resolver;
  record::AggregationSource& aggregations;
  Output& output;
  // Receives messages for stderr ("dtrace: error on enabled probe ID ...") without the prefix
  // "dtrace: " and without a newline. If there is a receiver, it gets the faults and the drops
  // instead.
  std::function<void(std::string_view)> error;
  Effects* effects = nullptr;    // nullptr: actions only print
  Receiver* receiver = nullptr;  // nullptr: records, faults and drops only become text
};

}  // namespace dt::consumer
