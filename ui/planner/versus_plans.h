// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/plan_decision.h"

#include <QStringList>

#include <vector>

namespace vramscope {

/// Several plans with what they take for the same tokens, and their names.
struct Versus : ComparedPlans
{
    explicit Versus(std::vector<PlanSide> of)
        : ComparedPlans(plansOf(of))
        , sides(std::move(of))
    {
    }

    std::vector<PlanSide> sides;

    [[nodiscard]] QString head(std::size_t at) const { return sideHead(sides[at]); }
    /// The sentence of the choice, as a title.
    [[nodiscard]] QString chosen(ByteUnit unit) const;
};

/// All figures of the plans, for the speaker's notes.
[[nodiscard]] QStringList figuresOf(const Versus &of, ByteUnit unit);

} // namespace vramscope
