#pragma once
// Writing JSON: values are appended one after another, commas and quotes are
// seen to. What is written is valid JSON in valid UTF-8 whatever it is given.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt::support {

class Json {
 public:
  explicit Json(std::string& out) : out_(out) {}

  Json& begin_object();
  Json& end_object();
  Json& begin_array();
  Json& end_array();
  // The name of what comes next, within an object.
  Json& key(std::string_view name);

  Json& string(std::string_view text);  // what is no UTF-8 becomes U+FFFD
  Json& number(std::int64_t value);
  Json& number(std::uint64_t value);
  Json& real(long double value);              // null for what JSON has no number for
  Json& raw_number(std::string_view digits);  // "12.345": as it is
  Json& boolean(bool value);
  Json& null();

  Json& field(std::string_view name, std::string_view text) { return key(name).string(text); }
  Json& field(std::string_view name, std::int64_t value) { return key(name).number(value); }
  Json& field(std::string_view name, std::uint64_t value) { return key(name).number(value); }

 private:
  void separate();

  std::string& out_;
  std::vector<bool> filled_;  // by depth: whether a comma is due
  bool after_key_ = false;
};

// Whether `text` is UTF-8 to the end.
bool is_utf8(std::string_view text);

}  // namespace dt::support
