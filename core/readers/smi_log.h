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

/// Reads what nvidia-smi logs over time, alone or through a user's script: CSV of --query-gpu with
/// or without header and units, of --query-compute-apps, tables of dmon, the output of -q as text
/// or with -x as XML, and its screen, in UTF-8 or UTF-16; and the JSON of rocm-smi. Sizes become
/// bytes, MiB if nothing names a unit. Missing information (columns without a header, which rows
/// belong to one device) is inferred from the content, and Series::problems() says how. Rows that
/// cannot be used are left out and counted.
[[nodiscard]] Result<std::shared_ptr<const Series>> readSmiLog(ByteWindow &input,
                                                               const Progress &progress);

/// True for the beginning of the output of `rocm-smi --json`: an object whose first key is a card.
[[nodiscard]] bool isRocmSmi(std::string_view start);

/// Reads what `rocm-smi --showmeminfo vram --json` prints, once or one object after the other: the
/// memory of each card in bytes, and its other figures. It has no times.
[[nodiscard]] Result<std::shared_ptr<const Series>> readRocmSmi(ByteWindow &input,
                                                                const Progress &progress);

} // namespace vramscope
