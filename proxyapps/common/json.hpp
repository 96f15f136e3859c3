#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace proxy {

// Writes one JSON document, piece by piece. Numbers that are not finite become null.
class Json {
 public:
  Json& begin_object() { return open('{'); }
  Json& end_object() { return close('}'); }
  Json& begin_array() { return open('['); }
  Json& end_array() { return close(']'); }
  Json& key(const std::string& name);
  Json& value(const std::string& text);
  Json& value(const char* text) { return value(std::string(text)); }
  Json& value(double number);
  Json& value(std::int64_t number) { return raw(std::to_string(number)); }
  Json& value(std::uint64_t number) { return raw(std::to_string(number)); }
  Json& value(int number) { return raw(std::to_string(number)); }
  Json& value(bool flag) { return raw(flag ? "true" : "false"); }
  Json& value(const std::vector<double>& numbers);
  Json& null() { return raw("null"); }
  template <class T>
  Json& member(const std::string& name, const T& content) {
    return key(name).value(content);
  }
  // null instead of an empty string or a zero, which stand for "not known"
  template <class T>
  Json& known(const std::string& name, const T& content) {
    return content == T() ? key(name).null() : member(name, content);
  }

  const std::string& text() const { return text_; }

 private:
  Json& open(char bracket);
  Json& close(char bracket);
  Json& raw(const std::string& token);
  void separate();

  std::string text_;
  std::vector<bool> first_{true};
  bool after_key_ = false;
};

// Writes the text to path in one step, so that a reader never sees half a file; "-" is stdout.
void write_file(const std::string& path, const std::string& text);

// A UsageError where write_file could not work; asked before hours of running.
void check_writable(const std::string& path);

}  // namespace proxy
