// See profile.h.

#include "dwatch/profile.h"

#include <dirent.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "support/file.h"
#include "support/nearest.h"

namespace dt::dwatch {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

// "NAME PROBES", "NAME /FILTER/" or "NAME PROBES /FILTER/".
Variant parse_variant(std::string_view value) {
  Variant variant;
  const std::size_t space = std::min(value.find_first_of(" \t"), value.size());
  variant.name = value.substr(0, space);
  std::string_view rest = trimmed(value.substr(space));
  if (const std::size_t slash = rest.find('/'); rest.size() > 1 && rest.back() == '/') {
    variant.filter = trimmed(rest.substr(slash + 1, rest.size() - slash - 2));
    rest = trimmed(rest.substr(0, slash));
  }
  variant.probes = rest;
  return variant;
}

Status set_member(Profile& profile, const std::string& key, std::string_view value) {
  const std::map<std::string, std::string*> texts = {
      {"summary", &profile.summary}, {"probe", &profile.probes},    {"filter", &profile.filter},
      {"before", &profile.before},   {"details", &profile.details}, {"after", &profile.after}};
  if (const auto found = texts.find(key); found != texts.end()) {
    *found->second = value;
  } else if (key == "argument") {
    profile.arguments.emplace_back(value);
  } else if (key == "variant") {
    profile.variants.push_back(parse_variant(value));
  } else if (key == "line" && (value == "yes" || value == "no")) {
    profile.has_line = value == "yes";
  } else {
    return Error::of(fmt::format("'{}: {}' is nothing that a profile says", key, value));
  }
  return {};
}

// "least time=10ms only those ..." as " [LEAST: only those ..., 10ms]".
std::string shown_argument(std::string_view declaration) {
  std::string_view rest = declaration;
  const auto word = [&rest] {
    rest = trimmed(rest);
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view cut = rest.substr(0, end);
    rest = trimmed(rest.substr(end));
    return cut;
  };
  std::string name(word());
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  const std::string_view type = word();
  const std::size_t equals = type.find('=');
  return fmt::format(" [{}: {}{}]", name, rest,
                     equals == std::string_view::npos
                         ? std::string()
                         : fmt::format(", {}", type.substr(equals + 1)));
}

// What stands for the asterisk at the end of a variant's name, "ENOENT" of "errno-ENOENT"; nothing
// if the name is another one.
std::optional<std::string> rest_of(const Variant& variant, std::string_view name) {
  std::string_view begin = variant.name;
  if (!begin.ends_with('*')) return std::nullopt;
  begin.remove_suffix(1);
  if (!name.starts_with(begin) || name.size() == begin.size()) return std::nullopt;
  const std::string_view rest = name.substr(begin.size());
  const bool is_word = std::all_of(rest.begin(), rest.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
  return is_word ? std::optional<std::string>(rest) : std::nullopt;
}

bool is_called(const Variant& variant, const std::string& name) {
  return variant.name.ends_with('*') ? rest_of(variant, name).has_value() : variant.name == name;
}

// What watches the same here as a profile of FreeBSD's, whose probes Linux does not have; empty for
// another name.
std::string_view instead_of(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kInstead[] = {
      {"jail",
       "'dwatch setns' and 'dwatch unshare' watch who enters namespaces; -j NAME chooses "
       "a container"},
      {"priv", "'dtrace -s capable' shows which privileges are asked for"},
      {"vop_create", "'dwatch -X open' watches files that are opened, or made"},
      {"vop_lookup", "'dwatch -X namei' watches paths that are looked up"},
      {"vop_mkdir", "'dwatch mkdir' watches the system calls"},
      {"vop_mknod", "'dwatch mknod' watches the system calls"},
      {"vop_readdir", "'dwatch getdents' watches the system calls"},
      {"vop_remove", "'dwatch unlink' watches the system calls"},
      {"vop_rename", "'dwatch rename' watches the system calls"},
      {"vop_rmdir", "'dwatch rmdir' watches the system calls"},
      {"vop_symlink", "'dwatch symlink' watches the system calls"}};
  const auto* const found = std::find_if(std::begin(kInstead), std::end(kInstead),
                                         [&](const auto& row) { return row.first == name; });
  return found == std::end(kInstead) ? std::string_view() : found->second;
}

// The text, with what matches the asterisk instead of "$*".
std::string filled(std::string text, const std::string& rest) {
  constexpr std::string_view kPlace = "$*";
  for (std::size_t at = 0; (at = text.find(kPlace, at)) != std::string::npos; at += rest.size()) {
    text.replace(at, kPlace.size(), rest);
  }
  return text;
}

std::string shown_variant(const Variant& variant) {
  if (variant.probes.empty() && variant.filter.empty()) return "the same";
  std::string text = variant.probes.empty() ? "" : fmt::format("only {}", variant.probes);
  if (!variant.filter.empty()) {
    text += fmt::format("{}only if {}", text.empty() ? "" : ", ", variant.filter);
  }
  return text;
}

bool is_hidden_or_backup(std::string_view name) {
  return name.starts_with(".") || name.ends_with("~");
}

std::vector<std::string> files_of(const std::string& directory) {
  std::vector<std::string> names;
  const auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> open(::opendir(directory.c_str()), close);
  while (const dirent* const entry = open == nullptr ? nullptr : ::readdir(open.get())) {
    if (!is_hidden_or_backup(entry->d_name)) {
      names.emplace_back(entry->d_name);
    }
  }
  return names;
}

// The profiles of all directories; of two with one name, the one of the earlier directory.
std::map<std::string, Result<Profile>> read_profiles(const std::vector<std::string>& directories) {
  std::map<std::string, Result<Profile>> found;
  for (const std::string& directory : directories) {
    for (const std::string& name : files_of(directory)) {
      const Result<std::string> text = support::read_file(directory + "/" + name);
      found.emplace(name, text.ok() ? parse_profile(name, *text) : Result<Profile>(text.error()));
    }
  }
  return found;
}

}  // namespace

Result<Profile> parse_profile(const std::string& name, std::string_view text) {
  Profile profile;
  profile.name = name;
  std::string key, value;
  std::size_t number = 0, begin = 0;
  const auto finish = [&]() -> Status {
    return key.empty() ? Status() : set_member(profile, key, trimmed(value));
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.starts_with('#') || trimmed(line).empty()) {
      continue;
    }
    if (line.starts_with('\t')) {
      value += fmt::format("\n{}", line.substr(1));
      continue;
    }
    if (Status status = finish(); !status.ok()) {
      return std::move(status.error()).with(fmt::format("{}:{}", name, begin));
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      return Error::of(fmt::format("{}:{}: '{}' has no ':'", name, number, line));
    }
    key = line.substr(0, colon);
    value = line.substr(colon + 1);
    begin = number;
  }
  if (Status status = finish(); !status.ok()) {
    return std::move(status.error()).with(fmt::format("{}:{}", name, begin));
  }
  if (profile.probes.empty()) {
    return Error::of(fmt::format("{}: there is no 'probe:'", name));
  }
  return profile;
}

Profile under_name(const Profile& profile, const std::string& name) {
  Profile renamed = profile;
  for (const Variant& variant : profile.variants) {
    if (is_called(variant, name)) {
      const std::string filter = filled(variant.filter, rest_of(variant, name).value_or("$*"));
      renamed.name = name;
      renamed.probes = variant.probes.empty() ? profile.probes : variant.probes;
      if (!filter.empty()) {
        renamed.filter =
            profile.filter.empty() ? filter : fmt::format("({}) && ({})", profile.filter, filter);
      }
    }
  }
  return renamed;
}

std::vector<std::string> profile_directories() {
  std::vector<std::string> directories;
  if (const char* const path = std::getenv("DWATCH_PROFILES_PATH"); path != nullptr) {
    for (std::string_view rest = path; !rest.empty();) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) {
        directories.emplace_back(rest.substr(0, end));
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  const std::string here = support::own_directory();
  for (const char* const place : {"/../share/dtrace/profiles", "/../../../../profiles"}) {
    if (support::is_directory(here + place)) {
      directories.push_back(here + place);
      break;
    }
  }
  return directories;
}

Result<Profile> load_profile(const std::vector<std::string>& directories, const std::string& name) {
  const std::map<std::string, Result<Profile>> all = read_profiles(directories);
  if (const auto found = all.find(name); found != all.end()) {
    return found->second;
  }
  if (const std::string_view instead = instead_of(name); !instead.empty()) {
    return Error::of(fmt::format("there is no profile '{}'", name), std::string(instead));
  }
  std::vector<std::string> names;
  for (const auto& [file, profile] : all) {
    names.push_back(file);
    for (std::size_t i = 0; profile.ok() && i < profile->variants.size(); ++i) {
      if (is_called(profile->variants[i], name)) {
        return under_name(*profile, name);
      }
      if (profile->variants[i].name == name) {
        return Error::of(fmt::format("'{}' stands for many names", name),
                         fmt::format("write what the asterisk stands for: 'dwatch -Q {}' shows the "
                                     "condition in which it stands",
                                     file));
      }
      names.push_back(profile->variants[i].name);
    }
  }
  const std::string near =
      support::nearest(name, std::vector<std::string_view>(names.begin(), names.end()));
  return Error::of(
      fmt::format("there is no profile '{}'", name),
      near.empty() ? "dwatch -Q lists the profiles" : fmt::format("did you mean '{}'?", near));
}

std::vector<std::pair<std::string, std::string>> list_profiles(
    const std::vector<std::string>& directories) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [name, profile] : read_profiles(directories)) {
    if (!profile.ok()) {
      rows.emplace_back(name, profile.error().text);
      continue;
    }
    std::string summary = profile->summary;
    for (const std::string& argument : profile->arguments) {
      summary += shown_argument(argument);
    }
    rows.emplace_back(name, summary);
    for (const Variant& variant : profile->variants) {
      rows.emplace_back(variant.name, fmt::format("{}: {}", name, shown_variant(variant)));
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace dt::dwatch
