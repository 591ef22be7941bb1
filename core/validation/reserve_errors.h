// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"

namespace vramscope {

/// How far the two ways to what a plan reserves are off what was measured, over the same rows.
struct ReserveErrors
{
    ErrorSummary factor;    ///< Estimate::peakReserved, on which a plan's figures rest
    ErrorSummary simulated; ///< the allocator under PyTorch's default (plannedReserves)
};

/// Of the rows of measured peaks of reserved memory that ship, of training runs. Takes tens of
/// milliseconds.
[[nodiscard]] ReserveErrors shippedReserveErrors();

} // namespace vramscope
