// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <memory>
#include <string_view>

namespace vramscope::test {

/// Reads the JSON text of a profiler trace as a whole into a tree and hands it to ProfileBuilder in
/// simple loops: slow and plain, to hold the reader and the analyses to. Nothing where the text is
/// no such trace, even with its closing brackets added.
[[nodiscard]] std::shared_ptr<const Profile> naiveProfile(std::string_view text);

} // namespace vramscope::test
