// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"

namespace vramscope {

/// The one recording in a zip archive, unfolded as it is read: nothing is written to disk, and
/// memory is used only for the archive's list of files, at most kMostArchiveList bytes. The
/// recording is found from the files' first bytes. Errors: Empty, Truncated and Malformed archives;
/// Refused: encrypted, files named outside of the archive, and content that expands further than
/// inflatingSource() allows; OtherContent: no recording or several, which it names.
[[nodiscard]] Result<std::unique_ptr<ByteSource>>
zippedRecording(std::unique_ptr<SeekableSource> archive);

inline constexpr std::int64_t kMostArchiveList = std::int64_t(1) << 20;

} // namespace vramscope
