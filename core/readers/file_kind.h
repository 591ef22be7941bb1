// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

namespace vramscope {

/// What a file is, told by its first bytes and never by its name.
enum class FileKind {
    Plan,
    Session,    ///< the bookmarks of a recording
    Report,     ///< a page that the program wrote; it may hold a plan
    Snapshot,   ///< the history of an allocator
    Curves,     ///< a profiler trace or a memory timeline
    SmiLog,     ///< a log of nvidia-smi
    ServingLog, ///< what a serving engine logged while it started
    Tables,     ///< what nsys stats or Nsight Compute summed or counted
    Packed,     ///< compressed, or a page around something: a reader finds out what is inside
    Other,      ///< the settings of another tool, or nothing that is known
};

/// `start`: kDetectionBytes of the file where it has them; `isWhole`: there are no more.
[[nodiscard]] FileKind identify(std::string_view start, bool isWhole);

/// The kind of a regular file; Other of what is none or cannot be read.
[[nodiscard]] FileKind identifyFile(const std::filesystem::path &file);

} // namespace vramscope
