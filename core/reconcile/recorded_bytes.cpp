// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/recorded_bytes.h"

#include "core/analysis/categories/categories.h"
#include "core/base/exact.h"
#include "core/estimate/lifecycle.h"
#include "core/reconcile/parameter_tensors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

namespace {

// Inputs count as activations: so does a plan.
std::optional<Category> planned(Category category)
{
    if (category == Category::Unknown)
        return std::nullopt;
    return category == Category::Inputs ? Category::Activations : category;
}

// Of all tokens at once, in the formats of logits: 16-bit and fp32.
std::vector<Bytes> logitsOf(const Plan &plan)
{
    const Settings s = resolve(plan).settings;
    const std::int64_t vocab = s.architecture.vocab;
    if (s.workload != Workload::Training || vocab <= 0 || s.context <= 0)
        return {};
    const Exact tokens = dividedUp(Exact(s.microBatch) * s.sequenceLength, s.context);
    std::vector<Bytes> sizes;
    for (const std::int64_t width : {2, 4}) {
        for (const std::int64_t columns : {vocab, dividedUp(Exact(vocab), s.tensor).value()}) {
            const Exact bytes = tokens * columns * width;
            if (!bytes.overflowed())
                sizes.push_back(bytes.value());
        }
    }
    return sizes;
}

void add(SideBytes &bytes, std::optional<Category> category, Bytes size)
{
    (category ? bytes.byCategory[static_cast<std::size_t>(*category)] : bytes.unknown) += size;
}

} // namespace

Bytes SideBytes::total() const
{
    Bytes sum = unknown;
    for (const Bytes bytes : byCategory)
        sum += bytes;
    return sum;
}

RecordedBytes::RecordedBytes(const Study &recorded, const Plan &plan)
    : m_recorded(recorded)
    , m_logits(logitsOf(plan))
{
    shareOutEarly(plan);
}

bool RecordedBytes::isEarly(AllocationIndex index) const
{
    const Allocations &allocations = m_recorded.allocations();
    return allocations.birth[index] < 0 && allocations.stack[index] == StackId::None &&
           m_recorded.categories().of(index).category == Category::Parameters;
}

void RecordedBytes::shareOutEarly(const Plan &plan)
{
    const auto tensors = static_cast<double>(parameterTensors(plan).size());
    double blocks = 0;
    for (const AllocationIndex index : m_recorded.allocations().liveAfter(-1))
        blocks += isEarly(index) ? 1 : 0;
    const auto copies = tensors > 0 ? std::lround(blocks / tensors) : 0;
    if (copies < 2 || copies > 4)
        return;
    const Lifecycle whole = lifecycle(estimate(plan));
    if (whole.steadyStep.empty())
        return;
    // The highest that each has anywhere in the step.
    std::array<double, kCategoryCount> most{};
    for (const LifecyclePoint &point : whole.steadyStep) {
        std::array<double, kCategoryCount> here{};
        for (std::size_t part = 0; part < whole.parts.size(); ++part)
            here[static_cast<std::size_t>(whole.parts[part].category)] +=
                static_cast<double>(point.bytes[part]);
        for (std::size_t at = 0; at < kCategoryCount; ++at)
            most[at] = std::max(most[at], here[at]);
    }
    const double states = most[static_cast<std::size_t>(Category::OptimizerStates)];
    const double gradients =
        copies == 4 || states == 0 ? most[static_cast<std::size_t>(Category::Gradients)] : 0;
    const double all = most[static_cast<std::size_t>(Category::Parameters)] + states + gradients;
    if (all <= 0)
        return;
    m_earlyStates = states / all;
    m_earlyGradients = gradients / all;
}

std::optional<Category> RecordedBytes::categoryOf(AllocationIndex index) const
{
    const Category judged = m_recorded.categories().of(index).category;
    const bool fromForward = judged == Category::Activations ||
                             judged == Category::TemporaryBuffers || judged == Category::Unknown;
    const Bytes size = m_recorded.allocations().requested[index];
    if (fromForward && std::ranges::find(m_logits, size) != m_logits.end())
        return Category::LossAndLogits;
    // A plan's activations end with their step: what a pass leaves behind is in no part of it.
    constexpr float kSure = 0.7F;
    const bool leftBehind =
        judged == Category::Activations && m_recorded.categories().of(index).confidence < kSure &&
        m_recorded.allocations().death[index] >= m_recorded.device().events.count();
    return leftBehind ? std::nullopt : planned(judged);
}

SideBytes RecordedBytes::after(EventIndex event) const
{
    SideBytes bytes;
    Bytes early = 0;
    for (const AllocationIndex index : m_recorded.allocations().liveAfter(event)) {
        if (isEarly(index))
            early += m_recorded.allocations().requested[index];
        else
            add(bytes, categoryOf(index), m_recorded.allocations().requested[index]);
    }
    const auto states = static_cast<Bytes>(static_cast<double>(early) * m_earlyStates);
    const auto gradients = static_cast<Bytes>(static_cast<double>(early) * m_earlyGradients);
    add(bytes, Category::OptimizerStates, states);
    add(bytes, Category::Gradients, gradients);
    add(bytes, Category::Parameters, early - states - gradients);
    return bytes;
}

bool RecordedBytes::stays(AllocationIndex index, EventIndex first, EventIndex last) const
{
    const Allocations &allocations = m_recorded.allocations();
    return allocations.birth[index] < first && allocations.death[index] > last &&
           !categoryOf(index);
}

Bytes RecordedBytes::staying(EventIndex event, EventIndex first, EventIndex last) const
{
    Bytes sum = 0;
    for (const AllocationIndex index : m_recorded.allocations().liveAfter(event)) {
        if (stays(index, first, last))
            sum += m_recorded.allocations().requested[index];
    }
    return sum;
}

SideBytes RecordedBytes::pendingFree(EventIndex event, EventIndex first, EventIndex last) const
{
    const Allocations &allocations = m_recorded.allocations();
    SideBytes bytes;
    for (const AllocationIndex index : allocations.liveAfter(event)) {
        if (allocations.freeRequested[index] <= event && !stays(index, first, last))
            add(bytes, categoryOf(index), allocations.requested[index]);
    }
    return bytes;
}

} // namespace vramscope
