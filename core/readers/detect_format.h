// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace vramscope {

/// The formats of recordings and of their wrappings.
enum class TraceFormat {
    SnapshotPickle,    ///< torch.cuda.memory._dump_snapshot()
    SnapshotJson,      ///< the same records as JSON
    AllocationPlot,    ///< the JSON in a page of the memory viewer of 2022; found by Content only
    ChromeTrace,       ///< torch.profiler, export_chrome_trace()
    MemoryTimeline,    ///< export_memory_timeline() to .json: totals by category
    RawMemoryTimeline, ///< the same to .raw.json.gz: one row an action
    SmiLog,            ///< nvidia-smi: CSV, dmon, -q, -q -x, its screen; rocm-smi: JSON
    NsightExport,      ///< an SQLite database that nsys exported, or may have
    ProfilerTable,     ///< CSV of nsys stats or Nsight Compute; UTF-8 or UTF-16
    Gzip,
    Zstandard,
    Zip,
    HtmlPage,
};

/// How many bytes from the start detectFormat() needs, if the file has them.
inline constexpr std::size_t kDetectionBytes = std::size_t(64) << 10;

/// Recognises a file by its first bytes, never by its name; `isWhole`: these are all its bytes. A
/// file that cannot be read is an Error that says what it is and what to do.
[[nodiscard]] Result<TraceFormat> detectFormat(std::span<const std::uint8_t> start, bool isWhole);

/// The error for a report of Nsight Systems (.nsys-rep, .qdrep), a closed format.
[[nodiscard]] Error nsightReport();

/// Whether a text that begins with a bracket continues like JSON, and not like lines of a log such
/// as "[12:03:04] text" or "[INFO] text".
[[nodiscard]] bool beginsJson(std::string_view start);

/// The format of JSON by the keys of its outermost object, or of the first object of its outermost
/// list, in any order. `start` begins with the bracket; `isWhole`: nothing follows it.
[[nodiscard]] Result<TraceFormat> detectJson(std::string_view start, bool isWhole);

/// True for the beginning of the output of nvidia-smi -q, as text or XML.
[[nodiscard]] bool looksLikeSmiQuery(std::string_view start);

/// True for a text with a line of nvidia-smi's screen that gives the memory of a device.
[[nodiscard]] bool looksLikeSmiScreen(std::string_view start);

/// True for both and for the beginning of nvidia-smi's CSV or dmon table: by the header, or else by
/// lines that begin with a time and name an amount.
[[nodiscard]] bool looksLikeSmiLog(std::string_view start);

/// True for the beginning of the startup log of a serving engine, by the content of its lines.
[[nodiscard]] bool looksLikeServingLog(std::string_view start);

} // namespace vramscope
