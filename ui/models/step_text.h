// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/steps/step_fold.h"
#include "core/base/format.h"
#include "core/table/table.h"

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
/// The steps as rows, by time: which, peak, how far that is from the median, duration, remark.
[[nodiscard]] DataTable stepsTable(const StepsData &data);
/// Lines of text for a step, the first one its heading.
[[nodiscard]] QStringList stepLines(const StepsData &data, std::size_t step, ByteUnit unit);

} // namespace vramscope
