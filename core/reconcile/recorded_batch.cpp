// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/recorded_batch.h"

#include "core/analysis/categories/categories.h"
#include "core/settings/schedules/schedule.h"

#include <algorithm>
#include <set>

namespace vramscope {

namespace {

constexpr Bytes kLeastTold = kMiB; // smaller ones may be of anything

// Sizes of what the loss asked for in the step.
std::set<Bytes> lossSizes(const Study &recorded, const RecordedStep &step)
{
    std::set<Bytes> sizes;
    const Allocations &allocations = recorded.allocations();
    for (AllocationIndex index = allocations.firstBornAfter(step.first - 1);
         index < allocations.count() && allocations.birth[index] <= step.last; ++index) {
        if (recorded.categories().of(index).category == MemoryCategory::Loss &&
            allocations.requested[index] >= kLeastTold)
            sizes.insert(allocations.requested[index]);
    }
    if (step.failure >= 0) // wherever it was asked for: often that of the logits' fp32 copy
        sizes.insert(
            recorded.device().outOfMemory[static_cast<std::size_t>(step.failure)].requested);
    return sizes;
}

// Tokens of logits of that size in fp32, which the loss works in, or in 16 bits; 0: of no whole
// number of them.
std::int64_t tokensOf(Bytes size, std::int64_t vocab, std::int64_t planned)
{
    if (size % (vocab * 2) == 0 && size / (vocab * 2) == planned)
        return planned;
    return size % (vocab * 4) == 0 ? size / (vocab * 4) : 0;
}

} // namespace

RecordedBatch recordedBatch(const Plan &plan, const Study &recorded, const RecordedStep &step)
{
    const Settings s = resolve(plan).settings;
    const std::int64_t vocab = s.architecture.vocab;
    const bool whole = s.loss != LossKind::Chunked && s.loss != LossKind::LinearFused &&
                       !dividesLogits(s) && s.tensor == 1 && s.context == 1;
    if (s.workload != Workload::Training || vocab < 2 || !whole || s.microBatch < 1 ||
        s.sequenceLength < 1 || s.sequenceLength > (std::int64_t(1) << 40) / s.microBatch)
        return {};
    const std::int64_t planned = s.microBatch * s.sequenceLength;
    std::int64_t tokens = 0;
    for (const Bytes size : lossSizes(recorded, step)) {
        const std::int64_t here = tokensOf(size, vocab, planned);
        if (here == planned)
            return {true, {}};
        tokens = std::max(tokens, here);
    }
    if (tokens == 0)
        return {};
    if (tokens % s.sequenceLength == 0)
        return {true, {{"batch.micro_batch", tokens / s.sequenceLength}}};
    if (tokens % s.microBatch == 0)
        return {true, {{"batch.sequence_length", tokens / s.microBatch}}};
    return {true, {{"batch.micro_batch", std::int64_t(1)}, {"batch.sequence_length", tokens}}};
}

} // namespace vramscope
