// What `stap -p4` keeps and staprun runs: the script with its arguments and settings, which is
// compiled again where it runs, in milliseconds. See stap.h.
//
//   stap module 1
//   script 23          the bytes behind the line
//   probe begin { exit() }
//   argument 3
//   abc

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <functional>
#include <string_view>

#include "cli/stap.h"
#include "support/file.h"

namespace dt::cli {
namespace {

constexpr std::string_view kMagic = "stap module 1\n";

void put(std::string& out, std::string_view what, std::string_view text) {
  out += fmt::format("{} {}\n{}\n", what, text.size(), text);
}

std::string text_of(const StapLine& line) {
  std::string out(kMagic);
  put(out, "name", line.name);
  put(out, "script", line.script);
  for (const std::string& one : line.more) put(out, "more", one);
  for (const std::string& one : line.arguments) put(out, "argument", one);
  for (const auto& [name, value] : line.settings) put(out, "setting", name + "=" + value);
  for (const auto& [name, value] : line.options) put(out, "option", name + "=" + value);
  if (!line.buffer.empty()) put(out, "buffer", line.buffer);
  return out;
}

void take(StapLine& out, std::string_view what, std::string text) {
  if (what == "name")
    out.name = std::move(text);
  else if (what == "script")
    out.script = std::move(text);
  else if (what == "more")
    out.more.push_back(std::move(text));
  else if (what == "argument")
    out.arguments.push_back(std::move(text));
  else if (what == "buffer" && out.buffer.empty())
    out.buffer = std::move(text);
  if (what != "setting" && what != "option") return;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return;
  (what == "option" ? out.options : out.settings)
      .emplace_back(text.substr(0, equals), text.substr(equals + 1));
}

}  // namespace

std::string module_name(const StapLine& line) {
  if (!line.module.empty()) return line.module + ".bo";
  // FNV-1a: the same on every machine, so the same script has the same name.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text_of(line)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("stap_{:016x}.bo", hash);
}

std::string write_module(const StapLine& line, const std::string& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text_of(line);
  file.close();
  return file ? std::string() : fmt::format("cannot write '{}': {}", path, std::strerror(errno));
}

std::string read_module(const std::string& path, StapLine& out) {
  if (path != "-" && ::access(path.c_str(), R_OK) != 0) {
    return fmt::format("cannot open '{}': {}", path, std::strerror(errno));
  }
  const Result<std::string> all = support::read_file(path);
  if (!all.ok()) return all.error().text;
  std::string_view rest = *all;
  const std::string broken =
      fmt::format("'{}' is no module of stap -p4: {}", path,
                  path.ends_with(".ko") ? "modules of the kernel are not loaded" : "it is damaged");
  if (!rest.starts_with(kMagic)) return broken;
  rest.remove_prefix(kMagic.size());
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n'), blank = rest.find(' ');
    if (end == std::string_view::npos || blank > end) return broken;
    std::size_t size = 0;
    const auto [stop, wrong] = std::from_chars(rest.data() + blank + 1, rest.data() + end, size);
    if (wrong != std::errc() || stop != rest.data() + end || size > rest.size() - end - 1) {
      return broken;
    }
    take(out, rest.substr(0, blank), std::string(rest.substr(end + 1, size)));
    rest.remove_prefix(std::min(end + 1 + size + 1, rest.size()));
  }
  return {};
}

}  // namespace dt::cli
