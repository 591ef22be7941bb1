// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

namespace vramscope {

/// Calls `found` for each part of a text that its form shows to be private, with what stands
/// instead: in addresses of the web the account, the machine and unknown folders; keys of services
/// and what is behind "token=" and the like; in prose also addresses of networks and network cards,
/// accounts with their numbers, what is behind "git@host:", and values of the environment of
/// which no word is known. Parts may overlap; the first told of those that begin together counts.
void forEachToken(std::string_view text, bool prose,
                  const std::function<void(std::string_view part, std::string_view by)> &found);

} // namespace vramscope
