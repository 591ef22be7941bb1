// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/readers/byte_source.h"
#include "core/trace/series.h"

#include <memory>
#include <string_view>

namespace vramscope {

/// True of the beginning of what `rocm-smi --json` prints: an object whose first key is a card.
[[nodiscard]] bool isRocmSmi(std::string_view start);

/// Reads what `rocm-smi --showmeminfo vram --json` prints, once or one object after the other: the
/// memory of each card in bytes, and the figures beside it. It states no times.
[[nodiscard]] Result<std::shared_ptr<const Series>> readRocmSmi(ByteWindow &input,
                                                                const Progress &progress);

} // namespace vramscope
