// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_study.h"
#include "core/readers/read_trace.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope::cli {

/// Reads a profiler trace; the error says what the file is instead.
[[nodiscard]] Result<std::shared_ptr<const Profile>> readProfile(const std::string &file);

/// The profiler trace that was read; the error says what it is instead.
[[nodiscard]] Result<std::shared_ptr<const Profile>> profileIn(Result<Recording> recording);

/// A name without folders.
[[nodiscard]] std::string nameOf(const std::string &file);

} // namespace vramscope::cli
