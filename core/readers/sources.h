// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/byte_source.h"
#include "core/readers/cancel_guard.h"

namespace vramscope {

// Bytes of a file without its wrapping.

/// The same bytes, read a few chunks ahead on a thread of its own, so that fetching or unfolding
/// them and using them each have a processor. Several threads look at them ahead; so does the
/// reader while it would wait. At most two megabytes wait: with fewer the threads stop for each
/// other. Destroying the source stops the threads after their current chunks and waits for all of
/// them. What `source` reads from must not be touched while this lives. While no bytes come, the
/// watch is asked at least ten times a second; read() fails with Cancelled once it is given up.
[[nodiscard]] std::unique_ptr<ByteSource> readAhead(std::unique_ptr<ByteSource> source,
                                                    CancelGuard &watch);

/// Decodes the base64 at the cursor of `input`, up to the quote that ends it; padding and line ends
/// are skipped. `input` must outlive it. read() fails with Malformed at any other character and
/// with Truncated if the quote is missing.
[[nodiscard]] std::unique_ptr<ByteSource> base64Source(ByteWindow &input);

/// The content of a page of PyTorch's memory viewer.
enum class Embedded {
    Base64File,     ///< since June 2023: a whole snapshot
    AllocationPlot, ///< before: the data of a plot as JSON
};

/// Finds the data in an HTML page, wherever its scripts have it, and leaves the cursor at the first
/// character of the base64 or of the JSON. For a page without data an Error says what it is.
[[nodiscard]] Result<Embedded> findEmbedded(ByteWindow &page, const Progress &progress);

enum class Compression { Gzip, Zstd };

/// Unfolds a compressed stream from the cursor of `input` on, which must outlive it; consecutive
/// streams are one. read() fails with Truncated if the stream ends too early, Malformed if it is
/// damaged, and Refused if it expands more than any recording: to over kMostExpansion times its
/// bytes, beyond the first kFreeExpansion bytes.
[[nodiscard]] std::unique_ptr<ByteSource> inflatingSource(ByteWindow &input, Compression form);

/// Snapshots shrink to a 60th at best, and to about a 100th where stacks are very deep.
inline constexpr std::int64_t kMostExpansion = 400;
inline constexpr std::int64_t kFreeExpansion = std::int64_t(32) << 20;

/// The bytes of a regular file, unfolded if gzip or Zstandard packed it: by its first bytes, never
/// by its name. Errors: those of openFile(), and from read() those of inflatingSource().
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openUnpacked(const std::filesystem::path &file);

/// The one recording in a zip archive, unfolded as it is read: nothing is written to disk, and
/// memory is used only for the archive's list of files, at most kMostArchiveList bytes. The
/// recording is found from the files' first bytes. Errors: Empty, Truncated and Malformed archives;
/// Refused: encrypted, files named outside of the archive, and content that expands further than
/// inflatingSource() allows; OtherContent: no recording or several, which it names.
[[nodiscard]] Result<std::unique_ptr<ByteSource>>
zippedRecording(std::unique_ptr<SeekableSource> archive);

inline constexpr std::int64_t kMostArchiveList = std::int64_t(1) << 20;

} // namespace vramscope
