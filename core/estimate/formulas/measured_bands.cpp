// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/measured_bands.h"

#include "core/catalog/shipped_table.h"
#include "core/settings/rollout.h"
#include "core/settings/settings.h"
#include "core/settings/verified_shapes.h"

#include <algorithm>
#include <map>

namespace vramscope {

namespace {

std::string_view methodOf(Strategy strategy)
{
    switch (strategy) {
    case Strategy::None:
    case Strategy::Ddp:
        return "whole copies";
    case Strategy::Zero1:
    case Strategy::Zero2:
    case Strategy::Zero3:
        return "zero";
    case Strategy::Fsdp1:
        return "fsdp1";
    case Strategy::Fsdp2:
        return "fsdp2";
    case Strategy::Megatron:
    case Strategy::MegatronDistributedOptimizer:
        return "megatron";
    }
    return {};
}

double shareIn(const std::string &cell)
{
    return numberIn<double>(cell) / 100;
}

const std::map<std::string, MeasuredBand, std::less<>> &allBands()
{
    static const auto all = [] {
        std::map<std::string, MeasuredBand, std::less<>> bands;
        readShippedTable("measured/bands/rows.csv", [&](const auto &cell) {
            bands[cell("class")] = {cell("class"),
                                    numberIn(cell("rows")),
                                    cell("from"),
                                    numberIn(cell("basis")),
                                    shareIn(cell("below_percent")),
                                    shareIn(cell("above_percent"))};
        });
        return bands;
    }();
    return all;
}

} // namespace

std::string bandClassOf(const Settings &s, bool uncertain)
{
    if (s.workload != Workload::Training || s.rollout || s.diffusion ||
        !s.calibrated.reservedFactor.empty())
        return {};
    if (uncertain)
        return "training";
    return std::string(s.architecture.moe() ? "training, experts, " : "training, dense, ")
        .append(std::ranges::all_of(shapesOf(s), isVerified) ? methodOf(s.strategy)
                                                             : "no measured shape");
}

bool leavesLoopOpen(const Plan &plan)
{
    return !plan.trainer && !(plan.precision.regime && plan.optimizer.name && plan.loss);
}

const MeasuredBand *measuredBand(std::string_view name)
{
    for (;;) {
        if (const auto found = allBands().find(name); found != allBands().end())
            return &found->second;
        const std::size_t last = name.rfind(", ");
        if (last == name.npos)
            return nullptr;
        name = name.substr(0, last);
    }
}

} // namespace vramscope
