#pragma once
// Where -x push sends metrics: a collector of OTLP over HTTP, or Carbon of Graphite.

#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace dt::exports {

struct PushUrl {
  enum class Kind : std::uint8_t { kOtlp, kGraphite } kind = Kind::kOtlp;
  std::string host;  // without the brackets of an IPv6 address
  std::string port;
  std::string path;  // of OTLP
};

// "http://HOST[:4318][/v1/metrics]" or "tcp://HOST[:2003]".
Result<PushUrl> parse_push_url(std::string_view text);

}  // namespace dt::exports
