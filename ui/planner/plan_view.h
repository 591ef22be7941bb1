// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringView>

#include <array>
#include <optional>
#include <utility>

namespace vramscope {

/// What the lower card of a plan's page shows.
enum class PlanView { Step, Sweep, Layouts, Scale, Strategy, Allocator, Compare };

/// The view of that name on the command line: "step", "sweep", "layouts", "scale", "strategy",
/// "allocator" or "compare".
[[nodiscard]] inline std::optional<PlanView> planViewNamed(QStringView name)
{
    constexpr std::array<std::pair<QStringView, PlanView>, 7> kNames = {{
        {u"step", PlanView::Step},
        {u"sweep", PlanView::Sweep},
        {u"layouts", PlanView::Layouts},
        {u"scale", PlanView::Scale},
        {u"strategy", PlanView::Strategy},
        {u"allocator", PlanView::Allocator},
        {u"compare", PlanView::Compare},
    }};
    for (const auto &[each, view] : kNames) {
        if (each == name)
            return view;
    }
    return std::nullopt;
}

} // namespace vramscope
