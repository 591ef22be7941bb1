// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/steps/step_fold.h"
#include "core/base/format.h"

#include <QString>
#include <QStringList>

namespace vramscope {

/// The steps of a device and how they lie over each other. The pointers outlive every view that
/// holds this.
struct StepsData
{
    const Steps *steps = nullptr;
    const StepFold *fold = nullptr; ///< of them
    const EventCurve *active = nullptr;
    std::span<const std::int64_t> times; ///< µs of each event; empty: steps are measured in events

    [[nodiscard]] bool isEmpty() const { return !steps || steps->steps.empty(); }
    [[nodiscard]] std::size_t count() const { return isEmpty() ? 0 : steps->steps.size(); }
    [[nodiscard]] const Step &step(std::size_t index) const { return steps->steps[index]; }
};

/// "step 7"
[[nodiscard]] QString stepName(const Step &step);
/// "25.9 ms", "780 events"
[[nodiscard]] QString stepLengthText(const StepsData &data, std::size_t step);
/// What its peak is above or below the middle one: "+1.2 MiB", "0 B".
[[nodiscard]] QString stepDeltaText(const StepsData &data, std::size_t step, ByteUnit unit);
/// "first, highest", "outlier", "cut off"; may be empty.
[[nodiscard]] QString stepRemark(const StepsData &data, std::size_t step);
/// Lines of text for a step, the first one its heading.
[[nodiscard]] QStringList stepLines(const StepsData &data, std::size_t step, ByteUnit unit);

} // namespace vramscope
