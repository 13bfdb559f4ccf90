#pragma once
// The scripts that are installed with dtrace: tools/.

#include <optional>
#include <string>
#include <vector>

#include "support/result.h"

namespace dt::cli {

// The file of the tool of this name; nullopt when there is none.
std::optional<std::string> find_tool(const std::string& name);

// Whether a file is a program, or a script of another language: one that has the name of a tool by
// chance, such as the ./trace of dtrace's own sources.
bool is_other_program(const std::string& path);

// The tool that may have been meant; empty when none is near.
std::string nearest_tool(const std::string& name);

// Each tool, by name, and the text of its script.
struct Tool {
  std::string name, text;
};
Result<std::vector<Tool>> read_tools();

// What people ask, and the command that answers it: tools/questions.
struct Question {
  std::string text, command;
};
std::vector<Question> read_questions();

// Words with which people look for a tool, those that it answers best first: tools/words.
struct ToolWords {
  std::string tool;
  std::vector<std::string> words;
};
std::vector<ToolWords> read_words();

}  // namespace dt::cli
