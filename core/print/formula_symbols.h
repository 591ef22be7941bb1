// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace vramscope {

/// The meaning of the symbols in the formula of a component: "N parameters, D GPUs that share the
/// states". Leaves out those that are `explained` already, and adds its own to them.
[[nodiscard]] std::string symbolsText(std::string_view formula,
                                      std::set<std::string_view> &explained);

} // namespace vramscope
