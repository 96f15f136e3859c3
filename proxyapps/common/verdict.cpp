#include "verdict.hpp"

namespace proxy {

std::string Verdict::status() const {
  bool all_checked = !checks.empty();
  for (const Check& check : checks) {
    if (check.passed == false) return "wrong";
    if (!check.passed) all_checked = false;
  }
  return all_checked ? "ok" : "not_checked";
}

Check Comparison::check(const std::string& name, const std::string& what) const {
  const std::string counted = failed_ == 0 ? "the worst of " + std::to_string(count_) + ", at "
                                           : std::to_string(failed_) + " of " +
                                                 std::to_string(count_) + " wrong, the first at ";
  return {name,       what + "; " + counted + std::to_string(worst_at_),
          expected_,  actual_,
          tolerance_, count_ > 0 && failed_ == 0};
}

}  // namespace proxy
