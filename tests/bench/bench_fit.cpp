// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "core/solver/fit.h"

#include <nlohmann/json.hpp>

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>

using namespace vramscope;

namespace {

/// Llama 3 70B on 64 H100 under FSDP and tensor, pipeline and context parallelism.
Plan largePlan()
{
    Plan plan;
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 64;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 64;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 8192;
    plan.batch.accumulationSteps = 16;
    plan.activations.kernels = Kernels::Compiled;
    return plan;
}

} // namespace

int main()
{
    constexpr std::array<std::string_view, 4> kVary = {
        "parallel", "activations.checkpointing", "batch.micro_batch", "optimizer.implementation"};
    const std::clock_t busy = std::clock();
    const auto start = std::chrono::steady_clock::now();
    const Result<Fit> found = fit(largePlan(), kVary, 20);
    const auto end = std::chrono::steady_clock::now();
    const auto *layouts = found ? std::get_if<Layouts>(&found.value().found) : nullptr;
    if (!layouts || layouts->best.empty())
        return EXIT_FAILURE;
    const double cpu = static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC;
    const double seconds = std::chrono::duration<double>(end - start).count();
    const auto evaluated = static_cast<double>(layouts->evaluated);
    const nlohmann::ordered_json figures = {{"layouts",
                                             {{"evaluated", layouts->evaluated},
                                              {"fitting", layouts->fitting},
                                              {"pareto", layouts->pareto},
                                              {"seconds", seconds},
                                              {"us_a_layout", 1e6 * seconds / evaluated},
                                              {"cpu_seconds_for_100000", 1e5 * cpu / evaluated},
                                              {"seconds_for_100000", 1e5 * seconds / evaluated},
                                              {"bar_seconds_for_100000", 1}}}};
    std::cout << figures.dump(2) << '\n';
}
