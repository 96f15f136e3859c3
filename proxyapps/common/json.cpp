#include "json.hpp"

#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "error.hpp"

namespace proxy {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20 || c >= 0x7f) {
      // names of options and devices are ASCII; anything else is kept visible byte by byte
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + '"';
}

}  // namespace

void Json::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!first_.back()) text_ += ',';
  if (first_.size() > 1) text_ += '\n' + std::string(2 * (first_.size() - 1), ' ');
  first_.back() = false;
}

Json& Json::raw(const std::string& token) {
  separate();
  text_ += token;
  return *this;
}

Json& Json::open(char bracket) {
  raw(std::string(1, bracket));
  first_.push_back(true);
  return *this;
}

Json& Json::close(char bracket) {
  const bool empty = first_.back();
  first_.pop_back();
  if (!empty) text_ += '\n' + std::string(2 * (first_.size() - 1), ' ');
  text_ += bracket;
  if (first_.size() == 1) text_ += '\n';
  return *this;
}

Json& Json::key(const std::string& name) {
  raw(quoted(name) + ": ");
  after_key_ = true;
  return *this;
}

Json& Json::value(const std::string& text) { return raw(quoted(text)); }

Json& Json::value(double number) {
  if (!std::isfinite(number)) return null();
  char digits[32];  // the shortest text that reads back as the same number
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return raw(std::string(digits, end));
}

Json& Json::value(const std::vector<double>& numbers) {
  begin_array();
  for (const double number : numbers) value(number);
  return end_array();
}

void check_writable(const std::string& path) {
  if (path == "-") return;
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const bool is_folder =
      path.empty() || path.back() == '/' || access((path + "/.").c_str(), F_OK) == 0;
  if (is_folder || access(folder.c_str(), W_OK) != 0)
    throw UsageError("--json", '"' + path + '"',
                     "a file in an existing folder that can be written to");
}

void write_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text << std::flush;
    return;
  }
  const std::string temporary = path + ".part" + std::to_string(getpid());
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    std::remove(temporary.c_str());
    throw DeviceError("--json: " + path + ": could not be written");
  }
}

}  // namespace proxy
