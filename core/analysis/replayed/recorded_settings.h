// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/allocator_settings.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>

namespace vramscope {

/// The settings of a recording, as far as the file has them, and how the version that wrote it used
/// them; PyTorch's defaults for missing ones. No file has a memory fraction from
/// set_per_process_memory_fraction().
[[nodiscard]] ConfiguredSettings recordedSettings(const Trace &trace);

/// The PYTORCH_CUDA_ALLOC_CONF string in the file; empty if it has none.
[[nodiscard]] std::string recordedConfiguration(const Trace &trace);

/// The newest version that may have written the file, the N of PyTorch 2.N; nothing if it may be
/// any.
[[nodiscard]] std::optional<int> newestVersion(const Trace &trace);

} // namespace vramscope
