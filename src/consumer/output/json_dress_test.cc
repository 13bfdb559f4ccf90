// The document of -x oformat=json, indented and as XML.

#include "consumer/output/json_dress.h"

#include <gtest/gtest.h>

namespace dt::consumer::testing {
namespace {

constexpr std::string_view kDocument =
    "{\"dtrace\": {\"probes\": [\n"
    R"({"cpu":-1,"name":"a\"b","output":[{"value":7},{"keys":["x",2],"empty":[]}]},)"
    "\n"
    R"({"msg":"<&>\n\u0001\u009b\ufffd\\"})"
    "\n]}}\n";

// However it is cut into parts.
std::string dressed(JsonDress::Form form) {
  JsonDress whole(form);
  std::string out;
  whole.append(out, kDocument);
  JsonDress cut(form);
  std::string parts;
  for (const char& c : kDocument) cut.append(parts, std::string_view(&c, 1));
  EXPECT_EQ(parts, out);
  return out;
}

TEST(JsonDress, LeavesTheDocumentAsItIs) {
  EXPECT_EQ(dressed(JsonDress::Form::kAsItIs), kDocument);
}

TEST(JsonDress, Indents) {
  EXPECT_EQ(dressed(JsonDress::Form::kPretty), R"({
  "dtrace": {
    "probes": [
      {
        "cpu": -1,
        "name": "a\"b",
        "output": [
          {
            "value": 7
          },
          {
            "keys": [
              "x",
              2
            ],
            "empty": []
          }
        ]
      },
      {
        "msg": "<&>\n\u0001\u009b\ufffd\\"
      }
    ]
  }
}
)");
}

TEST(JsonDress, IsXmlWithAnElementForEachMember) {
  EXPECT_EQ(dressed(JsonDress::Form::kXml),
            "<dtrace><probes><cpu>-1</cpu><name>a\"b</name><output><value>7</value></output>"
            "<output><keys>x</keys><keys>2</keys></output></probes>"
            "<probes><msg>&lt;&amp;&gt;\n\\001\\302\\233\xef\xbf\xbd\\</msg></probes></dtrace>\n");
  EXPECT_EQ(dressed(JsonDress::Form::kPrettyXml),
            R"(<dtrace>
  <probes>
    <cpu>-1</cpu>
    <name>a"b</name>
    <output>
      <value>7</value>
    </output>
    <output>
      <keys>x</keys>
      <keys>2</keys>
    </output>
  </probes>
  <probes>
    <msg>&lt;&amp;&gt;
)"
            "\\001\\302\\233\xef\xbf\xbd\\</msg>\n  </probes>\n</dtrace>\n");
}

}  // namespace
}  // namespace dt::consumer::testing
