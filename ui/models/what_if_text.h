// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/what_if/replay.h"
#include "core/analysis/what_if/what_if.h"
#include "core/base/format.h"

#include <QString>

#include <vector>

namespace vramscope {

/// A recording replayed as it was, and simulated under other settings.
struct WhatIfFindings
{
    Replay replay;
    WhatIfs whatIfs; ///< of no use where there was nothing to replay

    /// Row 0 is the recorded settings, the others follow.
    [[nodiscard]] const WhatIf &row(std::size_t at) const
    {
        return at == 0 ? whatIfs.recorded : whatIfs.others[at - 1];
    }
    [[nodiscard]] std::size_t rowCount() const { return whatIfs.others.size() + 1; }
};

/// "as recorded", "PyTorch's default", "expandable_segments:True".
[[nodiscard]] QString settingName(const WhatIfFindings &findings, std::size_t row);
/// How far the simulation does what was recorded, one sentence.
[[nodiscard]] QString exactText(const Replay &replay);
/// What the figures of other settings rest on.
[[nodiscard]] QString basisText(const WhatIfFindings &findings, ByteUnit unit);
/// Which setting to use and what that brings, one sentence.
[[nodiscard]] QString adviceText(const WhatIfFindings &findings, ByteUnit unit);
/// The bytes that "80", "23.5 GiB" or "81,920 MiB" mean, a number alone in GiB or GB; none where
/// it is no size above 0.
[[nodiscard]] std::optional<Bytes> readSize(const QString &text, ByteUnit unit);

} // namespace vramscope
