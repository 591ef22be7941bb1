// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/profile/profile.h"
#include "core/readers/byte_source.h"

#include <memory>

namespace vramscope {

/// Reads a trace that torch.profiler's export_chrome_trace() wrote, in any of its forms since 1.8,
/// or a bare list of such events, from first to last through a window. Times are parsed to whole
/// nanoseconds. JSON that the profiler wrote wrongly is fixed from its first error on, and a
/// truncated file is read up to its last complete event; problems() of the curves report both. An
/// event that is longer than any recorded one is left out, so that memory stays bounded.
[[nodiscard]] Result<std::shared_ptr<const Profile>>
readChromeTrace(ByteWindow &input, const Progress &progress,
                PythonFunctions python = PythonFunctions::Counted);

} // namespace vramscope
