// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <span>
#include <string_view>

namespace vramscope {

/// Writes all that a program gives away under a name: the one way for both programs.
///
/// A file is written whole under the name ".NAME.HOST.PID.N.part" beside it, brought to the disk
/// and then renamed, so that it is never half of either; where that fails, as on a full disk, the
/// old one stays. What a writer of this name on this host left when it was killed goes with the
/// next writing. It keeps its permissions, and its owner where that may be; a link stays a link,
/// and what it names is written, also where that is not there yet. A device or a pipe is written
/// into. "-", or whatever the standard output goes to, is the standard output.
[[nodiscard]] Result<void> writeOutput(const std::filesystem::path &file, std::string_view bytes);

/// Whether nothing can be lost under this name, and no ending is to be expected of it: the standard
/// output, a device or a pipe.
[[nodiscard]] bool isNoFile(const std::filesystem::path &output);

/// An error where writing to `output` would overwrite one of the files `inputs`, by whatever name
/// or link.
[[nodiscard]] Result<void> keepInputs(const std::filesystem::path &output,
                                      std::span<const std::filesystem::path> inputs);

} // namespace vramscope
