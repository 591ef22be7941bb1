// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <span>
#include <string_view>

namespace vramscope {

/// Writes every output of a program with a name: the one way for both programs.
///
/// A file is written whole under the name ".NAME.HOST.PID.N.part" next to it, synced to the disk
/// and then renamed, so that it is never half old and half new; after a failure, such as a full
/// disk, the old one stays. Files that a killed writer of this name on this host left are removed
/// by the next writing. The file keeps its permissions, and its owner if allowed; a link stays a
/// link, and its target is written, even if it does not exist yet. A device or a pipe is written
/// into. "-", or the target of the standard output, is the standard output.
[[nodiscard]] Result<void> writeOutput(const std::filesystem::path &file, std::string_view bytes);

/// Whether nothing can be lost under this name, and it needs no particular ending: the standard
/// output, a device or a pipe.
[[nodiscard]] bool isNoFile(const std::filesystem::path &output);

/// An error if writing to `output` would overwrite one of the files `inputs`, by whatever name or
/// link.
[[nodiscard]] Result<void> keepInputs(const std::filesystem::path &output,
                                      std::span<const std::filesystem::path> inputs);

} // namespace vramscope
