// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace vramscope {

/// The kind of a file, found from its first bytes and never from its name.
enum class FileKind {
    Plan,
    Session,    ///< the bookmarks of a recording
    Report,     ///< a page that the program wrote; it may hold a plan
    Snapshot,   ///< the history of an allocator
    Curves,     ///< a profiler trace or a memory timeline
    SmiLog,     ///< a log of nvidia-smi
    ServingLog, ///< the startup log of a serving engine
    Tables,     ///< the tables of nsys stats or Nsight Compute
    Packed,     ///< compressed, or a page around something: a reader finds its content
    Other,      ///< the settings of another tool, or nothing that is known
};

/// `start`: the first kDetectionBytes of the file, if it has them; `isWhole`: these are all its
/// bytes.
[[nodiscard]] FileKind identify(std::string_view start, bool isWhole);

/// The kind of a regular file; Other for anything else or a file that cannot be read.
[[nodiscard]] FileKind identifyFile(const std::filesystem::path &file);

/// Whether a file of a folder that could not be read is not a recording at all, as opposed to a
/// damaged one or a file with a recording's name and a fixable form (packed, a pointer of Git LFS):
/// then it needs no complaint.
[[nodiscard]] bool isNoRecording(const std::string &file, const Error &error);

} // namespace vramscope
