// Deliberate mistakes for testing the verification, chosen when configuring: -DPROXY_FAULT=<name>.
// A model file uses each constant in one place; without a fault all are false and cost nothing.
#pragma once

#include <string_view>

#ifndef PROXY_FAULT
#define PROXY_FAULT ""
#endif

namespace proxy::fault {

constexpr std::string_view injected = PROXY_FAULT;

constexpr bool dropped_tail = injected == "dropped_tail";        // the last element is left out
constexpr bool lost_partial = injected == "lost_partial";        // a partial sum is not added
constexpr bool off_by_one = injected == "off_by_one";            // a neighbour's element is read
constexpr bool missing_barrier = injected == "missing_barrier";  // threads do not wait in a tree

}  // namespace proxy::fault
