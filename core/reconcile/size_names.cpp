// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/size_names.h"

#include "core/reconcile/plan_sizes.h"

namespace vramscope {

namespace {

constexpr std::size_t kMostNames = 4;

std::string_view halfType(const Settings &s)
{
    const bool serves = s.workload == Workload::Inference;
    const bool half = serves
                          ? s.weightFormat == WeightFormat::Fp16
                          : s.regime == Regime::AutocastFp16 || s.regime == Regime::DeepSpeedFp16;
    return half ? "fp16" : "bf16";
}

} // namespace

std::vector<SizeName> namesOfSize(const Plan &plan, Bytes bytes)
{
    const Estimate figures = estimate(plan);
    if (!figures.computed || figures.settings->diffusion || bytes <= 0)
        return {};
    const Settings s = resolve(plan).settings;
    const RankInventory rank = rankOf(s, countParameters(s.architecture), figures.stage);
    const Training training(s, rank);
    SizeMatcher matcher(bytes, halfType(s));
    if (s.workload == Workload::Training) {
        addActivationSizes(training, matcher);
        addBucketSizes(training, matcher);
    } else {
        addServingSizes(training, figures.inference ? figures.inference->kvBlocks : 0, matcher);
    }
    addWeightSizes(training, matcher);
    return std::move(matcher).best(kMostNames);
}

} // namespace vramscope
