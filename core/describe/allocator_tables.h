// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/what_if/replay.h"
#include "core/analysis/what_if/what_if.h"
#include "core/planned_requests/planned_reserve.h"
#include "core/table/table.h"

#include <memory>
#include <string>

namespace vramscope {

/// "PyTorch's default", "expandable_segments:True".
[[nodiscard]] std::string configurationName(const std::string &configuration);

/// "loss, steady step", or "out of memory at the loss, first step".
[[nodiscard]] std::string whereText(const PlannedReserve &reserve);
/// What a plan reserves, a row for each setting of the allocator, in their order.
[[nodiscard]] DataTable reservesTable(const std::shared_ptr<const PlanReserves> &found,
                                      ByteUnit unit);

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

/// "as recorded", or the name of its configuration.
[[nodiscard]] std::string settingName(const WhatIfFindings &findings, std::size_t row);
/// Whether and where memory does not suffice: "no", "at event 3,818", "as recorded, 1 time".
[[nodiscard]] std::string failureText(const WhatIf &asked);
/// What a recorded program reserves, a row for each setting, as WhatIfFindings::row() counts them.
[[nodiscard]] DataTable whatIfsTable(const std::shared_ptr<const WhatIfFindings> &findings);

} // namespace vramscope
