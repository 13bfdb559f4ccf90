// See script.h.

#include "dwatch/script.h"

#include <fmt/core.h>
#include <grp.h>
#include <pwd.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace dt::dwatch {
namespace {

// What execname can have.
constexpr std::size_t kNameChars = 15;
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

// "NAME", "NAME*", "*NAME" or "*NAME*".
std::string name_test(std::string_view pattern) {
  const bool is_end = pattern.starts_with('*');
  pattern.remove_prefix(is_end ? 1 : 0);
  const bool is_begin = pattern.ends_with('*');
  pattern.remove_suffix(is_begin ? 1 : 0);
  const std::string text = in_quotes(std::string(pattern.substr(0, kNameChars)));
  if (is_end && is_begin) {
    return fmt::format("strstr(execname, {}) != NULL", text);
  }
  if (is_begin) {
    return fmt::format("strstr(execname, {}) == execname", text);
  }
  if (is_end) {
    return fmt::format(
        "(strlen(execname) >= {0} && substr(execname, strlen(execname) - {0}) == {1})",
        pattern.size(), text);
  }
  return fmt::format("execname == {}", text);
}

// Of a user, a group or a process. An error: there is none.
Result<std::string> number_of(char letter, const std::string& text) {
  if (is_number(text)) {
    return text;
  }
  if (letter == 'p') {
    return Error::of(fmt::format("-p: '{}' is not the number of a process", text),
                     "several are '12|34'; -k chooses programs by their name");
  }
  if (letter == 'u') {
    const struct passwd* const found = ::getpwnam(text.c_str());
    return found != nullptr ? Result<std::string>(fmt::format("{}", found->pw_uid))
                            : Error::of(fmt::format("-u: there is no user '{}'", text));
  }
  const struct group* const found = ::getgrnam(text.c_str());
  return found != nullptr ? Result<std::string>(fmt::format("{}", found->gr_gid))
                          : Error::of(fmt::format("-g: there is no group '{}'", text));
}

// "12|34" is two of them.
Result<std::vector<std::string>> numbers_of(char letter, const std::string& text) {
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('|', at), text.size());
    DT_ASSIGN(std::string number, number_of(letter, text.substr(at, end - at)));
    numbers.push_back(std::move(number));
    at = end + 1;
  }
  return numbers;
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const std::string& part : parts) {
    out += fmt::format("{}{}", out.empty() ? "" : between, part);
  }
  return out;
}

// The process that runs, or one above it: its leader.
std::string leader(int generation) {
  std::string path = "curthread->group_leader";
  for (int i = 0; i < generation; ++i) {
    path += "->real_parent->group_leader";
  }
  return path;
}

// The condition that a process has this number, or with -R one above it has.
std::vector<std::string> tests_of(char letter, const std::string& number, bool has_tree) {
  const char* const own = letter == 'u' ? "uid" : letter == 'g' ? "gid" : "pid";
  std::vector<std::string> tests = {fmt::format("{} == {}", own, number)};
  for (int i = 1; has_tree && i < kGenerations; ++i) {
    tests.push_back(fmt::format("xlate<psinfo_t *>({})->pr_{} == {}", leader(i), own, number));
  }
  return tests;
}

// Whether every description is of the provider syscall, whose probes fire in the process that makes
// the call.
bool are_calls(std::string_view probes) {
  for (std::size_t at = 0; at < probes.size();) {
    at = std::min(probes.find_first_not_of(" \t\n", at), probes.size());
    if (!probes.substr(at).starts_with("syscall:")) return false;
    at = std::min(probes.find(',', at), probes.size() - 1) + 1;
  }
  return true;
}

// All conditions, as a predicate; "" without any.
Result<std::string> predicate(const Request& request, const Profile& profile) {
  std::vector<std::string> all, any;
  if (!profile.filter.empty()) {
    all.push_back(fmt::format("({})", profile.filter));
  }
  const auto finish = [&] {
    if (!any.empty()) {
      all.push_back(fmt::format("({})", joined(any, " || ")));
    }
    any.clear();
  };
  // What a pattern asks for is found in the text of the event.
  const auto identify = [&](char letter, const std::vector<std::string>& values) -> Status {
    DT_ASSIGN(const Identities found, identities(letter, values));
    for (std::size_t i = 0; found.pattern.empty() && i < found.numbers.size(); ++i) {
      const auto tests = tests_of(letter, found.numbers[i], request.has_tree);
      any.insert(any.end(), tests.begin(), tests.end());
    }
    finish();
    return {};
  };
  DT_TRY(identify('u', request.users));
  DT_TRY(identify('g', request.groups));
  for (const std::string& zone : request.zones) {
    if (request.zones.size() > 1) any.push_back("zonename == " + in_quotes(zone));
  }
  finish();
  for (const std::string& name : request.names) {
    any.push_back(name_test(name));
  }
  finish();
  DT_TRY(identify('p', request.pids));
  for (const std::string& test : request.tests) {
    all.push_back(fmt::format("({})", test));
  }
  // Each line that dwatch writes would be another event, unless the user has named the processes.
  if (are_calls(profile.probes) && request.pids.empty() && request.names.empty()) {
    all.push_back("pid != $pid");
  }
  return all.empty() ? std::string() : fmt::format("/{}/\n", joined(all, " && "));
}

// The command line, or its first words.
std::string command_line(std::size_t most_words) {
  constexpr std::size_t kAll = 64;
  if (most_words >= kAll) {
    return "\tprintf(\"%S\", curpsinfo->pr_psargs);\n";
  }
  std::string code = "\tthis->args = curpsinfo->pr_psargs;\n\tthis->end = -1;\n";
  for (std::size_t i = 0; i < most_words; ++i) {
    code += fmt::format("\tthis->end = {} ? index(this->args, \" \", this->end + 1) : this->end;\n",
                        i == 0 ? "1" : "this->end >= 0");
  }
  return most_words == 0 ? code
                         : code +
                               "\tprintf(\"%S\", this->end < 0 ? this->args : substr(this->args, "
                               "0, this->end));\n";
}

// Code of the command line may lack the semicolon at its end, as that of a clause in D may.
std::string with_semicolon(const std::string& code) {
  const std::size_t last = code.find_last_not_of(" \t\n");
  return last == std::string::npos || code[last] == ';' || code[last] == '}' || code[last] == '/'
             ? code
             : code.substr(0, last + 1) + ';';
}

// The oldest first, as pstree has it.
std::string tree(bool has_arguments) {
  std::string code = "\tthis->p0 = curthread->group_leader;\n";
  for (int i = 1; i < kGenerations; ++i) {
    code += fmt::format("\tthis->p{0} = this->p{1}->real_parent->group_leader;\n", i, i - 1);
  }
  for (int i = kGenerations - 1; i >= 0; --i) {
    const int depth = kGenerations - 1 - i;
    code += fmt::format(
        "\tprintf(\"{0:{1}}{2}{3} %05d %d.%d %S\\n\", xlate<psinfo_t *>(this->p{4})->pr_pid,\n"
        "\t    xlate<psinfo_t *>(this->p{4})->pr_uid, xlate<psinfo_t *>(this->p{4})->pr_gid,\n"
        "\t    {5});\n",
        "", depth * 2 + 1, depth == 0 ? "-" : "\\\\-", i == 0 ? "--=" : "+=", i,
        i == 0 && has_arguments ? "curpsinfo->pr_psargs"
                                : fmt::format("xlate<psinfo_t *>(this->p{})->{}", i,
                                              has_arguments ? "pr_psargs" : "pr_fname"));
  }
  return code;
}

// A command for the shell, as the format of system().
std::string command_format(std::string_view command) {
  std::string format;
  for (const char c : command) {
    format += c;
    if (c == '%') {
      format += c;
    }
  }
  return in_quotes(format);
}

// More directories, and the program would be large; paths that are deeper are rare.
constexpr std::uint64_t kShownWhole = 16;
bool cuts_paths(const Request& request) {
  return request.most_directories && *request.most_directories < kShownWhole;
}

// A profile's code that shows a path writes PATH[path]. Where paths are shown whole, it is the
// path.
constexpr std::string_view kPath = "PATH[";
std::string details_of(const Request& request, const Profile& profile) {
  std::string code = profile.details;
  for (std::size_t at = 0;
       !cuts_paths(request) && (at = code.find(kPath, at)) != std::string::npos;) {
    if (at > 0 && is_word(code[at - 1])) {  // the end of another name
      at += kPath.size();
      continue;
    }
    code.erase(at, kPath.size());
    std::size_t end = at;
    for (int depth = 0; end < code.size() && (depth > 0 || code[end] != ']'); ++end) {
      depth += code[end] == '[' ? 1 : code[end] == ']' ? -1 : 0;
    }
    code.erase(std::min(end, code.size()), 1);
  }
  return code;
}

// What stands before the details of an event.
std::string head(const Request& request) {
  const std::string end = request.shows_script
                              ? std::string()
                              : fmt::format("\\{:03o}", static_cast<unsigned>(kEndOfProgram));
  std::string code = fmt::format(
      "\tprintf(\"%Y %d.%d %S{}[%d]: \", walltimestamp, uid, gid, execname, pid);\n", end);
  if (request.has_probe_id) {
    code += "\tprintf(\"<%d> \", id);\n";
  }
  if (request.is_flow) {
    code +=
        "\tprintf(\"%s %s:%s:%s:%s \", probename == \"entry\" ? \"->\" : probename == \"return\" ? "
        "\"<-\" : \" |\",\n\t    probeprov, probemod, probefunc, probename);\n";
  }
  return code;
}

std::string actions(const Request& request, const Profile& profile) {
  std::string code = profile.has_line ? head(request) : "";
  if (!request.details.empty()) {
    for (const std::string& details : request.details) {
      code += fmt::format("\t{}\n", with_semicolon(details));
    }
  } else if (!profile.details.empty()) {
    const std::string details = details_of(request, profile);
    for (std::size_t at = 0; at < details.size();) {
      const std::size_t end = std::min(details.find('\n', at), details.size());
      code += fmt::format("\t{}\n", details.substr(at, end - at));
      at = end + 1;
    }
  } else if (request.is_flow) {
    code += "\tprintf(\"...\");\n";
  } else if (!profile.has_arguments) {
    code += "\tprintf(\"%s CPU %d\", probename, cpu);\n";
  } else {
    code += command_line(request.most_words);
  }
  if (profile.has_line) {
    code += "\tprintf(\"\\n\");\n";
    code += request.has_tree ? tree(profile.has_arguments) : "";
    code += fmt::format("\tprintf(\"\\{:03o}\");\n", static_cast<unsigned>(kEndOfEvent));
    return code;  // commands are run for events that are shown (main.cc)
  }
  for (const std::string& command : request.commands) {
    code += fmt::format("\tsystem({});\n", command_format(command));
  }
  return code;
}

// What PATH[path] means with -K: the last directories of the path, and "..." for those before them.
std::string path_shown(const Request& request, const Profile& profile) {
  if (!cuts_paths(request) || profile.details.find(kPath) == std::string::npos) return "";
  std::string before = "path";
  for (std::uint64_t i = 0; i <= *request.most_directories; ++i) {
    before = fmt::format("dirname({})", before);
  }
  return fmt::format(
      "\ninline string BEFORE[string path] = {};\n"
      "inline string PATH[string path] = BEFORE[path] != \"/\" && BEFORE[path] != \".\" ?\n"
      "    strjoin(\"...\", substr(path, strlen(BEFORE[path]))) : path;\n",
      before);
}

}  // namespace

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += fmt::format("\\{}", c);
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\{:03o}", static_cast<unsigned>(byte));
    } else {
      out += c;
    }
  }
  return out + '"';
}

Result<Identities> identities(char letter, const std::vector<std::string>& values) {
  // A bar alone makes a list, of which no name may be wrong.
  constexpr std::string_view kOfPatterns = "^$*+?[](){}\\";
  Identities found;
  std::vector<std::string> patterns;
  for (const std::string& value : values) {
    Result<std::vector<std::string>> numbers = numbers_of(letter, value);
    if (numbers.ok()) {
      found.numbers.insert(found.numbers.end(), numbers->begin(), numbers->end());
    } else if (value.find_first_of(kOfPatterns) != std::string::npos) {
      patterns.push_back(value);
    } else {
      return numbers.error();
    }
  }
  if (!patterns.empty()) {
    for (const std::string& number : found.numbers) {
      patterns.push_back(fmt::format("^{}$", number));
    }
    found.pattern = joined(patterns, "|");
  }
  return found;
}

Result<std::string> make_script(const Request& request, const Profile& profile) {
  DT_ASSIGN(const std::string test, predicate(request, profile));
  std::string script = "#pragma D option switchrate=10hz\n#pragma D option quiet\n";
  if (!request.cgroup.empty()) {
    script += fmt::format("#pragma D option cgroup={}\n", request.cgroup);
  }
  // dtrace refuses a zone that does not exist. Of several, main.cc asks.
  if (request.zones.size() == 1) {
    script += fmt::format("#pragma D option zone={}\n", request.zones[0]);
  }
  for (const std::string& argument : profile.arguments) {
    script += fmt::format("#pragma D argument {}\n", argument);
  }
  script += path_shown(request, profile);
  if (!profile.before.empty()) {
    script += fmt::format("\n{}\n", profile.before);
  }
  script += fmt::format("\n{}\n{}{{\n{}}}\n", profile.probes, test, actions(request, profile));
  if (!profile.after.empty()) {
    script += fmt::format("\n{}\n", profile.after);
  }
  if (!request.duration.empty()) {
    script += fmt::format("\ntick-{} {{ exit(0); }}\n", request.duration);
  }
  return script;
}

}  // namespace dt::dwatch
