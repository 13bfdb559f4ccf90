// dtrace --tools.

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/report.h"
#include "cli/script_help.h"
#include "cli/tools.h"
#include "dtrace/script.h"
#include "support/nearest.h"

namespace dt::cli {
namespace {

std::string small(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

struct Row {
  std::string name, shows;
  std::string about;  // its first comment
};

// Words that people bring, and the word that the tools use for it.
constexpr struct {
  std::string_view word, ours;
} kOtherWords[] = {{"mutex", "lock"},
                   {"contention", "lock"},
                   {"deadlock", "lock"},
                   {"heap", "memory that"},
                   {"malloc", "memory that"},
                   {"database", "queries"},
                   {"query", "queries"},
                   {"http", "tls"},
                   {"https", "tls"},
                   {"network", "tcp"},
                   {"net", "tcp"},
                   {"hang", "wait"},
                   {"blocked", "wait"},
                   {"fork", "processes"},
                   {"jvm", "java"},
                   {"ram", "memory"},
                   {"io", "disk"},
                   {"hotspot", "spend the time"},
                   {"systemd", "service"},
                   {"boot", "service"},
                   {"program", "command"},
                   {"docker", "container"},
                   {"podman", "container"},
                   {"pod", "container"},
                   {"db", "database"},
                   {"sqlite", "sql"},
                   {"request", "query"},
                   {"hot", "compute"}};

// What is not a tool, but done with any of them.
constexpr struct {
  std::string_view words, hint;
} kWithAnyTool[] = {{" container containers docker podman pod kubernetes cgroup lxc zone ",
                     "--cgroup NAME or --zone NAME behind a tool traces a container: dtrace -s "
                     "opensnoop --zone NAME"},
                    {" boot booting startup reboot ",
                     "-A saves what is traced from the next boot on, and -a prints it then: dtrace "
                     "-A -s execsnoop"}};

// Commands of other collections and systems, and what answers their questions here.
constexpr struct {
  std::string_view words, hint;
} kCommands[] = {
    {" lsof fuser ",
     "/proc/PID/fd has the files that are open; dtrace -s opensnoop shows those that are opened"},
    {" tcpdump wireshark tshark ngrep ",
     "who sends how much, and to whom: dtrace -s tcptop, dtrace -s tcplife; each packet: dtrace -n "
     "'ip:::send, ip:::receive { trace(args[2]->ip_daddr); }'"},
    {" netstat ss ",
     "dtrace -s tcpstates, tcpconnect and tcpaccept show connections as they change; dtrace -s "
     "netqtop shows devices"},
    {" nethogs iftop tcpsubnet ", "dtrace -s tcptop"},
    {" iostat blktrace ", "dtrace -s biolatency, dtrace -s biosnoop"},
    {" iotop ", "dtrace -s biotop"},
    {" htop ",
     "dtrace -s profile shows which code computes, dtrace -s cpudist how long threads "
     "are on a CPU"},
    {" vmstat sar ", "dtrace -s vfsstat, dtrace -s runqlen, dtrace -s pagefaults"},
    {" uflow ", "dtrace -s funcgraph main -c COMMAND shows the functions of a program"},
    {" valgrind heaptrack massif ", "dtrace -s memleak -p PID"},
    {" inotifywait fatrace auditd auditctl ",
     "dtrace -s opensnoop -P PATH, dtrace -s filegone, dtrace -s execsnoop"},
    {" truss ktrace dtruss ", "dtrace -s syscost -f -c COMMAND; each call: dtrace --tools strace"},
    {" btrfsslower nfsslower xfsslower zfsslower ", "dtrace -s fsslower"},
    {" btrfsdist ext4dist nfsdist xfsdist zfsdist ", "dtrace -s fsdist"},
    {" dbstat ", "dtrace -s dbslower -m 0"},
    {" uobjnew uthreads ustacks ", "dtrace -s ustat counts objects and threads"},
    {" vfscount dcsnoop dcstat mdflush readahead ",
     "dtrace -n 'fbt::vfs_*:entry { @[probefunc] = count(); }' counts functions of the kernel"}};

std::string hint_for_command(std::string_view word) {
  for (const auto& [words, hint] : kCommands) {
    if (!word.empty() && words.find(fmt::format(" {} ", word)) != std::string_view::npos) {
      return std::string(hint);
    }
  }
  return "";
}

std::string_view our_word(std::string_view word) {
  for (const auto& [theirs, ours] : kOtherWords) {
    if (theirs == word) return ours;
  }
  return word;
}

std::string hint_with_any_tool(std::string_view word) {
  for (const auto& [words, hint] : kWithAnyTool) {
    if (!word.empty() && words.find(fmt::format(" {} ", word)) != std::string_view::npos) {
      return std::string(hint);
    }
  }
  return "";
}

// Whether a word of the text begins so: "script" is not in "description".
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    if (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0) return true;
  }
  return false;
}

// The words of names and of what tools show that are like this word, such as "memory" for "memry".
std::string near_words(const std::string& word, const std::vector<Row>& all) {
  std::set<std::string> words;
  for (const Row& row : all) {
    words.insert(row.name);
    std::string one;
    for (const char c : small(row.shows) + ' ') {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
        one += c;
      } else {
        if (one.size() > 2) words.insert(one);
        one.clear();
      }
    }
  }
  constexpr std::size_t kMost = 4;
  std::vector<std::string_view> left(words.begin(), words.end());
  std::string near;
  for (std::size_t i = 0; i < kMost; ++i) {
    const std::string found = support::nearest(small(word), left);
    if (found.empty()) break;
    near += (near.empty() ? "" : ", ") + found;
    left.erase(std::find(left.begin(), left.end(), found));
  }
  return near;
}

// What people write around the word that they mean.
constexpr std::string_view kSmallWords =
    " a an the who which what why how when is are was does do did my it its this that in on of to "
    "for with by "
    "at and or much many long most ";

// The words of a request, in small letters; those that only make it a sentence count if there are
// no others.
std::vector<std::string> words_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> words, small_words;
  std::string one;
  const auto finish = [&] {
    const bool is_small = kSmallWords.find(' ' + one + ' ') != std::string_view::npos;
    if (!one.empty()) (is_small ? small_words : words).push_back(std::move(one));
    one.clear();
  };
  for (const std::string& argument : arguments) {
    for (const char c : small(argument)) {
      if (c == ' ' || c == '?') {
        finish();
      } else {
        one += c;
      }
    }
    finish();
  }
  return words.empty() ? small_words : words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows rows_with(const std::vector<Row>& all, const std::function<bool(const Row&)>& is_meant) {
  Rows found;
  for (const Row& row : all) {
    if (is_meant(row)) found.emplace_back(row.name, row.shows);
  }
  return found;
}

// The questions that have all of the words, without any of them none.
Rows questions_with(const std::vector<std::string>& words) {
  Rows rows;
  for (const Question& question : read_questions()) {
    const std::string text = small(question.text + ' ' + question.command);
    const bool is_meant =
        !words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) {
          return has_word(text, word) || (our_word(word) != word && has_word(text, our_word(word)));
        });
    if (is_meant) rows.emplace_back(question.text, question.command);
  }
  return rows;
}

// No tool has the words in its name or in what it shows, and no question has them: those in whose
// descriptions they are, or words like them.
int print_descriptions_with(const std::vector<std::string>& words, const std::vector<Row>& all) {
  say(fmt::format("no tool has '{}' in its name or in what it shows", joined(words)));
  const Rows rows = rows_with(all, [&](const Row& row) {
    return std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return has_word(small(row.about), word); });
  });
  if (rows.empty()) {
    const std::string near = words.size() == 1 ? near_words(words[0], all) : "";
    say_hint(near.empty() ? "dtrace --tools lists all of them"
                          : fmt::format("similar words that have tools: {}", near));
    return kError;
  }
  say_text("these have the word in their descriptions:\n");
  return print_text(two_columns(rows));
}

// "processes" and "killed" without their endings, so that they are at the beginning of other forms.
std::string_view stem(std::string_view word) {
  constexpr std::size_t kLeast = 3;
  for (const std::string_view ending : {"ing", "es", "ed", "s"}) {
    if (word.size() >= kLeast + ending.size() && word.ends_with(ending)) {
      return word.substr(0, word.size() - ending.size());
    }
  }
  return word;
}

// How many of the words the text has in any form.
std::size_t count_words(const std::vector<std::string>& words, const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(words.begin(), words.end(), [&](const std::string& word) {
        return has_word(text, stem(word)) ||
               (our_word(word) != word && has_word(text, our_word(word)));
      }));
}

// No tool and no question has all of several words: those that have the most of them.
int print_nearest(const std::vector<std::string>& words, const std::vector<Row>& all) {
  std::size_t most = 1;
  Rows tools, questions;
  const auto take = [&](Rows& rows, const std::string& name, const std::string& shows,
                        const std::string& text) {
    const std::size_t count = count_words(words, small(text));
    if (count < most) return;
    if (count > most) {
      most = count;
      tools.clear();
      questions.clear();
    }
    rows.emplace_back(name, shows);
  };
  for (const Row& row : all) {
    take(tools, row.name, row.shows, row.name + '\n' + row.shows + '\n' + row.about);
  }
  for (const Question& one : read_questions()) {
    take(questions, one.text, one.command, one.text + ' ' + one.command);
  }
  if (tools.empty() && questions.empty()) return print_descriptions_with(words, all);
  say(fmt::format("no tool has all of '{}' in its name or in what it shows", joined(words)));
  say_text(fmt::format("these have {} of the words:\n", most));
  return print_text(two_columns(tools) + (tools.empty() || questions.empty() ? "" : "\n") +
                    two_columns(questions));
}

// One of the tools, as an example of how they are run.
void say_how_to_run(const std::string& name) {
  say_hint(fmt::format("dtrace -s {} runs one; dtrace -s {} -h prints its options and examples",
                       name, name));  // no name
}

}  // namespace

int list_tools(const std::vector<std::string>& arguments) {
  const Result<std::vector<Tool>> tools = read_tools();
  if (!tools.ok()) {
    say(tools.error().text);
    return kError;
  }
  std::vector<Row> all;
  for (const Tool& tool : *tools) {
    dtrace::ScriptUsage usage = dtrace::script_usage(tool.text);
    const std::string& shows = usage.summary.empty() ? usage.comment : usage.summary;
    all.push_back({tool.name, shows, usage.comment});
  }
  const std::vector<std::string> words = words_of(arguments);
  const Rows rows = rows_with(all, [&](const Row& row) {
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return small(row.name + '\n' + row.shows).find(word) != std::string::npos ||
             (our_word(word) != word && has_word(small(row.shows), our_word(word)));
    });
  });
  // A word such as "ss" is in many descriptions by chance.
  if (const std::string command = words.size() == 1 ? hint_for_command(words[0]) : "";
      !command.empty()) {
    say(fmt::format("no tool is called '{}'", words[0]));
    say_hint(command);
    return kError;
  }
  const Rows questions = questions_with(words);
  const std::string hint = words.size() == 1 ? hint_with_any_tool(words[0]) : "";
  if (rows.empty() && questions.empty()) {
    if (words.size() > 1) return print_nearest(words, all);
    if (hint.empty()) return print_descriptions_with(words, all);
    say(fmt::format("no tool is about '{}' alone", words[0]));
    say_hint(hint);
    return kError;
  }
  const int printed = print_text(
      two_columns(rows) + (rows.empty() || questions.empty() ? "" : "\n") + two_columns(questions));
  if (printed == kSuccess) {
    if (!rows.empty()) say_how_to_run(rows.front().first);
    if (words.empty())
      say_hint("dtrace --tools slow lists what answers a question with this word, too");
    if (!hint.empty()) say_hint(hint);
  }
  return printed;
}

}  // namespace dt::cli
