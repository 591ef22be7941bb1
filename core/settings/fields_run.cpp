// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr Rows<RunFields, &Plan::run, &Settings::run> kRun;

constexpr std::array kRunFields = {
    kRun.count(
        [](auto &f) { return &f.tokens; }, "Tokens of the run",
        "How many tokens are trained on, or generated, for the GPU hours that are projected.",
        {1, 1e15}, unless<0>, applies::language),
    kRun.real(
        [](auto &f) { return &f.gpuHourPrice; }, "Price of a GPU hour",
        "What you pay for one GPU and hour, in your own currency: the cost of the run follows.",
        {0, 1e6}, unless<0>, applies::language),
};

static_assert(areRowsOf(kRunFields, "run.tokens", "run.gpu_hour_price"));

} // namespace

std::span<const Field> runFields()
{
    return kRunFields;
}

} // namespace vramscope
