// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

namespace vramscope {

/// Calls `found` for each part of a text whose form shows that it is private, with its replacement:
/// in web addresses the account, the machine and unknown folders; keys of services and values after
/// "token=" and the like; in prose also addresses of networks and network cards, accounts with
/// their numbers, the path after "git@host:", and values of the environment without a known word.
/// Parts may overlap; among those that begin together the first reported counts.
void forEachToken(std::string_view text, bool prose,
                  const std::function<void(std::string_view part, std::string_view by)> &found);

} // namespace vramscope
