// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/calibration.h"

#include "core/plan/plan.h"
#include "core/settings/calibration_marks.h"

#include <cmath>

namespace vramscope {

namespace {

constexpr double kDecimals = 1e4;

FieldValue valueOf(const Calibration &constant, const Field &field)
{
    const double recorded = constant.recorded;
    if (!constant.isBytes)
        return std::round(recorded * kDecimals) / kDecimals;
    const bool counts = recorded >= field.minimum && recorded <= field.maximum;
    return counts ? FieldValue(static_cast<std::int64_t>(std::llround(recorded)))
                  : FieldValue(recorded); // of another type, so that it is refused
}

} // namespace

Plan calibrated(Plan plan, const Calibration &constant, std::string_view file)
{
    const Field *field = constantField(constant.field);
    Plan marked = plan;
    if (!field || !setField(marked, *field, valueOf(constant, *field)))
        return plan;
    markCalibrated(marked, field->path, file.substr(file.find_last_of("/\\") + 1));
    return marked;
}

} // namespace vramscope
