// The command line: options common to all apps, the app's own, and the problems that set them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace proxy {

// A named input of problems.json: each parameter is the value of the option of that name.
struct Problem {
  std::string name;
  std::string description;
  std::vector<std::pair<std::string, std::string>> parameters;
};

// What CMake knows about an app; one generated file per app defines the function.
struct AppInfo {
  std::string name;
  std::string version;
  std::string summary;
  std::vector<Problem> problems;  // the one called "default" holds the options' defaults
};
const AppInfo& app_info();

class Options {
 public:
  explicit Options(const AppInfo& app);

  void add_count(const std::string& name, const std::string& help, std::int64_t minimum,
                 std::int64_t maximum);
  void add_real(const std::string& name, const std::string& help, double minimum, double maximum);
  void add_choice(const std::string& name, const std::string& help,
                  const std::vector<std::string>& choices);
  void add_text(const std::string& name, const std::string& help);
  void add_flag(const std::string& name, const std::string& help);

  // Applies the problem `default`, then the arguments in their order. Throws UsageError.
  void parse(int argc, const char* const* argv);
  std::string usage() const;

  std::int64_t count(const std::string& name) const;
  double real(const std::string& name) const;
  const std::string& text(const std::string& name) const;
  bool flag(const std::string& name) const;
  bool is_count(const std::string& name) const;
  bool is_real(const std::string& name) const;

  const AppInfo& app() const { return app_; }
  const std::string& program() const { return program_; }
  // The chosen problem, or "" when an option changed one of the numbers that define it.
  std::string problem_name() const;
  // The options that define a problem (not how often it is run).
  std::vector<std::string> problem_parameters() const;

 private:
  enum class Kind { count, real, choice, text, flag };
  struct Option {
    std::string name, help;
    Kind kind = Kind::flag;
    std::int64_t least = 0, most = 0;
    double lower = 0, upper = 0;
    std::vector<std::string> choices;
    std::string value;
  };
  Option& add(const std::string& name, const std::string& help, Kind kind);
  Option* find(const std::string& name);
  const Option& get(const std::string& name) const;
  void set(Option& option, const std::string& value);
  void apply(const std::string& problem);

  const AppInfo& app_;
  std::string program_;
  std::vector<Option> options_;
};

}  // namespace proxy
