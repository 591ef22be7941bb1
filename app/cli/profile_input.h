// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_study.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope::cli {

/// Reads a profiler trace; the error says what else a file is.
[[nodiscard]] Result<std::shared_ptr<const Profile>> readProfile(const std::string &file);

/// A name without folders.
[[nodiscard]] std::string nameOf(const std::string &file);

} // namespace vramscope::cli
