#pragma once
// The document of -x oformat=json in another dress: `json,pretty` is indented, and `xml` is what
// FreeBSD's libxo makes of the same data:
//
//     <dtrace><probes><timestamp>...</timestamp>...<output><value>1</value></output>
//     <output>...</output></probes><probes>...</probes></dtrace>
//
// A member is an element of its name; an array is one such element for each of its values.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dt::consumer {

class JsonDress {
 public:
  enum class Form : std::uint8_t { kAsItIs, kPretty, kXml, kPrettyXml };

  explicit JsonDress(Form form) : form_(form) {}

  bool is_plain() const { return form_ == Form::kAsItIs; }
  // A part of a valid document, which may end anywhere.
  void append(std::string& out, std::string_view json);

 private:
  struct Level {
    bool is_array = false;
    std::string name;  // of its element; of the elements of an array
    bool is_filled = false;
  };

  bool is_xml() const { return form_ == Form::kXml || form_ == Form::kPrettyXml; }
  bool is_indented() const { return form_ == Form::kPretty || form_ == Form::kPrettyXml; }
  void character(std::string& out, char c);
  void within_string(std::string& out, char c);
  void open(std::string& out, bool is_array);
  void close(std::string& out, bool is_array);
  void end_number(std::string& out);
  void value(std::string& out, std::string_view text, bool is_string);
  void begin_value(std::string& out);
  void line(std::string& out);
  std::string name_of_value() const;

  Form form_;
  std::vector<Level> levels_;
  std::string token_;  // the string or number that is being read, as it is written
  std::string key_;    // of the value that comes next
  bool has_key_ = false, in_string_ = false, is_escaped_ = false, has_begun_ = false;
};

}  // namespace dt::consumer
