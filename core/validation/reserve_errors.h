// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"

namespace vramscope {

/// Errors of the two ways to predict a plan's reserved memory, over the same measured rows.
struct ReserveErrors
{
    ErrorSummary factor;    ///< Estimate::peakReserved, the basis of a plan's figures
    ErrorSummary simulated; ///< the allocator under PyTorch's default (plannedReserves)
};

/// Uses the shipped rows of measured peaks of reserved memory of training runs. Takes tens of
/// milliseconds.
[[nodiscard]] ReserveErrors shippedReserveErrors();

} // namespace vramscope
