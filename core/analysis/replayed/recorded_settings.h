// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/allocator_settings.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>

namespace vramscope {

/// The settings under which a trace was recorded, as far as the file holds them, and how the
/// version that wrote it used them; PyTorch's defaults where it holds none. No file tells a memory
/// fraction that was set by set_per_process_memory_fraction().
[[nodiscard]] ConfiguredSettings recordedSettings(const Trace &trace);

/// The PYTORCH_CUDA_ALLOC_CONF string that the file holds; empty where it holds none.
[[nodiscard]] std::string recordedConfiguration(const Trace &trace);

/// The newest version that may have written the file, the N of PyTorch 2.N; none where it may be
/// any.
[[nodiscard]] std::optional<int> newestVersion(const Trace &trace);

} // namespace vramscope
