// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/categories.h"
#include "core/analysis/replayed/usage_curve.h"

namespace vramscope {

/// One device of a recording with what was found out about it. Refers to all of it.
struct RecordedDevice
{
    const Trace &trace;
    const DeviceTrace &device;
    const Allocations &allocations;
    const UsageCurve &curve;
    const Steps &steps;
    const Categories &categories;
};

} // namespace vramscope
