// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/profile/profile.h"
#include "core/profile/profiler_tables.h"
#include "core/readers/detect_format.h"
#include "core/trace/series.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <variant>

namespace vramscope {

/// Reads a recorded trace, whatever its name: the format is recognised by content. The file is
/// read once from first to last through a small window, never executed and never changed. Errors
/// say what the file is and what to do; anomalies that leave the trace usable are in
/// Trace::problems(). `progress` is called at least ten times a second.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readTrace(const std::filesystem::path &file,
                                                             const Progress &progress = {});

/// The same of bytes in memory.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readTrace(std::span<const std::byte> bytes,
                                                             const Progress &progress = {});

/// The possible contents of a file: the history of an allocator, curves over time, a profiler's
/// recording, or tables made from one.
using Recording =
    std::variant<std::shared_ptr<const Trace>, std::shared_ptr<const Series>,
                 std::shared_ptr<const Profile>, std::shared_ptr<const ProfilerTables>>;

/// Like readTrace(), for any file that can be read: memory timelines and logs of nvidia-smi are a
/// Series and profiler traces a Profile; for these readTrace() gives an Error that names them.
[[nodiscard]] Result<Recording> readRecording(const std::filesystem::path &file,
                                              const Progress &progress = {},
                                              PythonFunctions python = PythonFunctions::Counted);

/// The same of bytes in memory.
[[nodiscard]] Result<Recording> readRecording(std::span<const std::byte> bytes,
                                              const Progress &progress = {});

/// The format of a file's unwrapped content, from its first bytes.
[[nodiscard]] Result<TraceFormat> formatOf(const std::filesystem::path &file);

} // namespace vramscope
