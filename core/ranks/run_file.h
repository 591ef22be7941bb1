// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/ranks/run_summary.h"
#include "core/readers/byte_source.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The ending of the names of such files.
inline constexpr std::string_view kRunFileEnding = ".vramranks";

/// The bytes of a file: JSON lines in members of gzip, each with whole lines of one kind and at
/// most kLongestRecord bytes before compression. The header of a member has an extra field "VR"
/// with the length of the whole member (four bytes, the least significant first) and the kind, so
/// that a reader hops over what it does not need; its time is 0. The first member says what the
/// file is, the last counts the records. The same records give the same bytes, from the same zlib.
[[nodiscard]] std::string runFileBytes(const RunSummary &run);

/// Whether a file begins as runFileBytes() does.
[[nodiscard]] bool isRunFile(std::string_view start);
/// The same of a file as it lies there, or packed by gzip or Zstandard once more.
[[nodiscard]] bool isRunFile(const std::filesystem::path &file);
/// Whether a file has the ending of such files, packed once more or not.
[[nodiscard]] bool isNamedAsRunFile(const std::filesystem::path &file);

/// Which kinds of records are wanted; all where it is empty.
using WantedKinds = std::function<bool(std::string_view kind)>;

/// What a file holds.
struct RunFile
{
    RunSummary run;
    /// Why it is not complete: cut off, damaged, without its end. Whole members are used all the
    /// same. Empty: it is complete.
    std::string whyIncomplete;
    std::vector<std::string>
        problems; ///< a sentence for each record that cannot be used; at most 50
    std::int64_t bytes = 0;
};

/// Reads a file, packed once more or not, or several that were put one behind the other. Fails
/// where it is none, or of a later version; what is damaged or missing is said in the result. Takes
/// memory in proportion to its bytes: a member unfolds to kLongestRecord at most, and all of them
/// to 400 times the file.
[[nodiscard]] Result<RunFile> readRunFile(const std::filesystem::path &file,
                                          const WantedKinds &wanted = {},
                                          const Progress &progress = {});
[[nodiscard]] Result<RunFile> readRunFile(SeekableSource &source, const WantedKinds &wanted = {},
                                          const Progress &progress = {});

} // namespace vramscope
