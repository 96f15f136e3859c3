#include "options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "build_info.hpp"
#include "error.hpp"

namespace proxy {

namespace {

// Parameters of a problem that say how often it is run, not what it is.
const std::vector<std::string> repetition = {"iterations", "warmup"};

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

std::string nearest(const std::string& name, const std::vector<std::string>& known) {
  return *std::min_element(known.begin(), known.end(), [&](const auto& x, const auto& y) {
    return edit_distance(name, x) < edit_distance(name, y);
  });
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

// A parameter calls_per_sample of problems.json is the option --calls-per-sample.
std::string option_name(std::string parameter) {
  std::replace(parameter.begin(), parameter.end(), '_', '-');
  return parameter;
}

std::string quoted(const std::string& text) { return '"' + text.substr(0, 60) + '"'; }

std::string number(double x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

template <class T>
bool parses(const std::string& text, T& value) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return !text.empty() && error == std::errc() && stopped == end;
}

}  // namespace

Options::Options(const AppInfo& app) : app_(app), program_(app.name + "-" + build::model) {
  std::vector<std::string> problems;
  for (const auto& problem : app.problems) problems.push_back(problem.name);
  constexpr std::int64_t many = 1'000'000'000;
  add_choice("problem", "a named input; later options change it", problems);
  add_count("iterations", "samples of each kernel", 1, many);
  add_count("warmup", "iterations before the first sample", 0, many);
  add_count("device", "index of the device to use, as --list-devices counts", 0, 1'000'000);
  add_count("block", "work-group size to ask for, where the model has one", 1, 1024);
  add_flag("list-devices", "show the devices and stop");
  add_flag("profile", "show the times of each kernel");
  add_text("json", "write the result to this file (- for standard output)");
  add_flag("help", "show this text and stop");
  set(*find("problem"), "default");
  set(*find("device"), "0");
  set(*find("block"), "256");
}

Options::Option& Options::add(const std::string& name, const std::string& help, Kind kind) {
  Option option;
  option.name = name;
  option.help = help;
  option.kind = kind;
  options_.push_back(option);
  return options_.back();
}

void Options::add_count(const std::string& name, const std::string& help, std::int64_t minimum,
                        std::int64_t maximum) {
  Option& option = add(name, help, Kind::count);
  option.least = minimum;
  option.most = maximum;
}

void Options::add_real(const std::string& name, const std::string& help, double minimum,
                       double maximum) {
  Option& option = add(name, help, Kind::real);
  option.lower = minimum;
  option.upper = maximum;
}

void Options::add_choice(const std::string& name, const std::string& help,
                         const std::vector<std::string>& choices) {
  add(name, help, Kind::choice).choices = choices;
}

void Options::add_text(const std::string& name, const std::string& help) {
  add(name, help, Kind::text);
}

void Options::add_flag(const std::string& name, const std::string& help) {
  add(name, help, Kind::flag);
}

Options::Option* Options::find(const std::string& name) {
  for (auto& option : options_)
    if (option.name == name) return &option;
  return nullptr;
}

const Options::Option& Options::get(const std::string& name) const {
  for (const auto& option : options_)
    if (option.name == name) return option;
  throw std::logic_error("option --" + name + " was never declared");
}

void Options::set(Option& option, const std::string& value) {
  const std::string name = "--" + option.name;
  if (option.kind == Kind::count) {
    std::int64_t count = 0;
    if (!parses(value, count) || count < option.least || count > option.most)
      throw UsageError(name, quoted(value), "a whole number",
                       std::to_string(option.least) + " to " + std::to_string(option.most));
  } else if (option.kind == Kind::real) {
    double x = 0;
    if (!parses(value, x) || !(x >= option.lower && x <= option.upper))
      throw UsageError(name, quoted(value), "a number",
                       number(option.lower) + " to " + number(option.upper));
  } else if (option.kind == Kind::choice) {
    if (std::find(option.choices.begin(), option.choices.end(), value) == option.choices.end())
      throw UsageError(name, quoted(value),
                       "one of " + joined(option.choices) + " (did you mean " +
                           nearest(value, option.choices) + "?)");
  }
  option.value = value;
  if (option.name == "problem") apply(value);
}

void Options::apply(const std::string& name) {
  for (const auto& problem : app_.problems) {
    if (problem.name != name) continue;
    for (const auto& [parameter, value] : problem.parameters)
      // the constructor chooses the default problem before the app has declared its options
      if (Option* option = find(option_name(parameter))) set(*option, value);
  }
}

void Options::parse(int argc, const char* const* argv) {
  apply("default");
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "-h") argument = "--help";
    if (argument.size() < 3 || argument.compare(0, 2, "--") != 0)
      throw UsageError(quoted(argument) + ": not an option; --help lists them");
    const auto equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    Option* option = find(name);
    if (!option) {
      std::vector<std::string> names;
      for (const auto& known : options_) names.push_back(known.name);
      throw UsageError("--" + name.substr(0, 60) + ": unknown option; did you mean --" +
                       nearest(name, names) + "?");
    }
    if (option->kind == Kind::flag) {
      if (equals != std::string::npos)
        throw UsageError("--" + name, quoted(argument.substr(equals + 1)), "no value");
      option->value = "true";
    } else if (equals != std::string::npos) {
      set(*option, argument.substr(equals + 1));
    } else if (++i < argc) {
      set(*option, argv[i]);
    } else {
      throw UsageError("--" + name, "nothing", "a value");
    }
  }
}

std::string Options::usage() const {
  std::ostringstream out;
  out << "Usage: " << program_ << " [--problem NAME] [--OPTION VALUE]...\n\n"
      << app_.summary << "\n\nOptions:\n";
  for (const auto& option : options_) {
    std::string left = "  --" + option.name;
    if (option.kind != Kind::flag) left += option.kind == Kind::text ? " FILE" : " N";
    if (option.kind == Kind::choice) left = "  --" + option.name + " NAME";
    left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
    out << left << option.help;
    if (option.kind == Kind::choice) out << ": " << joined(option.choices);
    if (!option.value.empty() && option.kind != Kind::flag) out << " [" << option.value << "]";
    out << '\n';
  }
  out << "\nProblems:\n";
  for (const auto& problem : app_.problems) {
    std::string left = "  " + problem.name;
    left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
    out << left << problem.description << '\n';
  }
  out << "\nExit status: 0 the answer was verified, 1 it is wrong or could not be checked,\n"
         "2 bad usage, 3 trouble with the device or its memory.\n";
  return out.str();
}

std::int64_t Options::count(const std::string& name) const {
  std::int64_t value = 0;
  parses(get(name).value, value);
  return value;
}

double Options::real(const std::string& name) const {
  double value = 0;
  parses(get(name).value, value);
  return value;
}

const std::string& Options::text(const std::string& name) const { return get(name).value; }

bool Options::flag(const std::string& name) const { return get(name).value == "true"; }

bool Options::is_count(const std::string& name) const { return get(name).kind == Kind::count; }

bool Options::is_real(const std::string& name) const { return get(name).kind == Kind::real; }

std::vector<std::string> Options::problem_parameters() const {
  std::vector<std::string> names;
  for (const auto& problem : app_.problems)
    for (const auto& [parameter, value] : problem.parameters)
      if (std::find(repetition.begin(), repetition.end(), parameter) == repetition.end() &&
          std::find(names.begin(), names.end(), parameter) == names.end())
        names.push_back(parameter);
  return names;
}

std::string Options::problem_name() const {
  const std::string& chosen = text("problem");
  Options fresh = *this;
  fresh.apply("default");
  fresh.apply(chosen);
  for (const auto& parameter : problem_parameters())
    if (fresh.text(option_name(parameter)) != text(option_name(parameter))) return "";
  return chosen;
}

}  // namespace proxy
