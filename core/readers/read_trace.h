// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace vramscope {

/// Reads a recorded trace, whatever its name: the format is recognised by content. The file is
/// read once from first to last through a small window, never executed and never changed. Errors
/// say what the file is and what to do; odd records that leave the trace usable are in
/// Trace::problems(). `progress` is called at least ten times a second.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readTrace(const std::filesystem::path &file,
                                                             const Progress &progress = {});

/// The same of bytes in memory.
[[nodiscard]] Result<std::shared_ptr<const Trace>> readTrace(std::span<const std::byte> bytes,
                                                             const Progress &progress = {});

} // namespace vramscope
