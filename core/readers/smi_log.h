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

/// Reads what nvidia-smi logs over time, alone or through a script of someone's own: CSV of
/// --query-gpu with or without header and units, of --query-compute-apps, tables of dmon, what
/// -q prints as text or with -x as XML, and its screen, in UTF-8 or UTF-16; and the JSON of
/// rocm-smi. Sizes become bytes, MiB where nothing
/// names a unit. What the file does not say (columns without a header, which rows are of one
/// device) is told by content, and Series::problems() says how. Rows that cannot be used are left
/// out and counted.
[[nodiscard]] Result<std::shared_ptr<const Series>> readSmiLog(ByteWindow &input,
                                                               const Progress &progress);

/// True of the beginning of what `rocm-smi --json` prints: an object whose first key is a card.
[[nodiscard]] bool isRocmSmi(std::string_view start);

/// Reads what `rocm-smi --showmeminfo vram --json` prints, once or one object after the other: the
/// memory of each card in bytes, and the figures beside it. It states no times.
[[nodiscard]] Result<std::shared_ptr<const Series>> readRocmSmi(ByteWindow &input,
                                                                const Progress &progress);

} // namespace vramscope
