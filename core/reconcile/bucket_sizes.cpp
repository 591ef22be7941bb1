// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/reconcile/parameter_tensors.h"
#include "core/reconcile/size_names.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

namespace {

// bucket_cap_mb of DistributedDataParallel and _DEFAULT_FIRST_BUCKET_BYTES of torch.distributed.
constexpr Bytes kDdpBucket = 25 * kMiB;
constexpr Bytes kFirstDdpBucket = kMiB;

/// Fills buckets as compute_bucket_assignment_by_size of torch/csrc/distributed/c10d/reducer.cpp
/// does: a bucket is closed by the gradient that reaches its limit.
class DdpBuckets
{
public:
    DdpBuckets(std::int64_t element, SizeMatcher &matcher)
        : m_element(element)
        , m_matcher(matcher)
    {
    }

    void fill(const std::vector<ParameterTensor> &tensors)
    {
        for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {
            if (!tensor->trained)
                continue;
            ++m_tensors;
            m_elements += tensor->elements();
            if (m_elements * m_element >= m_limit)
                close();
        }
    }
    void close()
    {
        if (m_tensors > 0)
            m_matcher.addUntyped(Category::Communication,
                                 "DDP bucket of " + counted(m_tensors, "gradient"),
                                 std::array{Side{"n", m_elements, "elements"}}, m_element);
        m_tensors = 0;
        m_elements = 0;
        m_limit = kDdpBucket;
    }

private:
    std::int64_t m_element;
    SizeMatcher &m_matcher;
    Bytes m_limit = kFirstDdpBucket;
    std::int64_t m_tensors = 0;
    Exact m_elements;
};

/// In the order in which backward finishes the gradients; the first step has them all in one.
void addDdp(const Training &t, SizeMatcher &matcher)
{
    matcher.add(Category::Communication, "DDP's first bucket, of all gradients",
                std::array{Side{"N", t.trained.total(), "parameters"}}, t.trainedGradient);
    DdpBuckets buckets(t.trainedGradient, matcher);
    buckets.fill(tensorsBehind(t));
    for (std::int64_t block = t.rank.layers() - 1; block >= 0; --block)
        buckets.fill(blockTensors(t, t.rank.groupOf(block)));
    buckets.fill(tensorsBefore(t));
    buckets.close();
}

void addZero(const Training &t, SizeMatcher &matcher)
{
    const Settings &s = t.s;
    const auto bucket = [&](std::string_view what, std::int64_t size, std::int64_t element) {
        const std::array side = {
            Side{"min(bucket, N)", std::min(size, t.trained.total()), "elements"}};
        matcher.add(Category::Communication, what, side, element);
    };
    if (s.strategy != Strategy::Zero1)
        bucket("reduce bucket", s.bucket.reduce, s.gradientBytes);
    if (s.strategy != Strategy::Zero3) {
        bucket("all-gather bucket", s.bucket.allgather, s.weightBytes);
    } else {
        bucket("prefetched weights", s.bucket.prefetch, s.weightBytes);
        bucket("live gathered weights", s.bucket.maxReuseDistance, s.weightBytes);
    }
}

} // namespace

void addBucketSizes(const Training &t, SizeMatcher &matcher)
{
    const Settings &s = t.s;
    if (s.strategy == Strategy::Ddp && s.data > 1)
        addDdp(t, matcher);
    else if (t.dense.optimizer > 1 &&
             (s.strategy == Strategy::Zero1 || s.strategy == Strategy::Zero2 ||
              s.strategy == Strategy::Zero3))
        addZero(t, matcher);
}

} // namespace vramscope
