// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planned_requests/planned_requests.h"

#include "core/planned_requests/tensor_sizes.h"

#include <utility>

namespace vramscope {

namespace {

/// The live tensors of a part, or of all gradients.
struct Holding
{
    struct Live
    {
        AllocationId allocation;
        Bytes size;
    };
    Category category;
    std::string_view part;
    Stream stream;
    Bytes held = 0;
    Bytes wanted = 0;
    std::vector<Live> tensors{}; ///< in the order of allocation
};

/// Writes the requests that lead from each point of a lifecycle to the next.
class RequestWriter
{
public:
    RequestWriter(const Lifecycle &lifecycle, const Training &training);
    void reach(const LifecyclePoint &point);
    [[nodiscard]] RequestStream take() { return std::move(m_stream); }

private:
    void shrink(Holding &holding);
    void grow(Holding &holding, std::int64_t block);
    void request(AllocatorRequest::Kind kind, const Holding &holding, AllocationId allocation,
                 Bytes size)
    {
        m_stream.requests.push_back(
            {kind, static_cast<std::uint16_t>(holding.stream), 0, allocation, m_event, size});
    }

    TensorSizes m_sizes;
    std::vector<Holding> m_holdings;
    std::vector<std::size_t> m_holdingOf; // by part
    RequestStream m_stream;
    std::int32_t m_event = 0;
};

RequestWriter::RequestWriter(const Lifecycle &lifecycle, const Training &training)
    : m_sizes(training)
{
    std::optional<std::size_t> gradients;
    for (const Lifecycle::Part &part : lifecycle.parts) {
        const bool isGradient = part.category == Category::Gradients;
        if (isGradient && gradients) {
            m_holdingOf.push_back(*gradients);
            continue;
        }
        if (isGradient)
            gradients = m_holdings.size();
        m_holdingOf.push_back(m_holdings.size());
        m_holdings.push_back({part.category, part.name, part.stream});
    }
    m_stream.streams.clear();
    for (std::size_t stream = 0; stream < kStreams; ++stream)
        m_stream.streams.push_back(static_cast<std::int64_t>(stream));
}

void RequestWriter::shrink(Holding &holding)
{
    while (holding.held > holding.wanted) {
        const auto [allocation, size] = holding.tensors.back();
        holding.tensors.pop_back();
        holding.held -= size;
        request(AllocatorRequest::Kind::Free, holding, allocation, size);
    }
}

void RequestWriter::grow(Holding &holding, std::int64_t block)
{
    if (holding.held >= holding.wanted)
        return;
    const Bytes missing = holding.wanted - holding.held;
    for (const Bytes size :
         m_sizes.cut(holding.category, holding.part, missing, {block, holding.held == 0})) {
        const AllocationId allocation = m_stream.allocations++;
        request(AllocatorRequest::Kind::Allocate, holding, allocation, size);
        holding.tensors.push_back({allocation, size});
        holding.held += size;
    }
}

void RequestWriter::reach(const LifecyclePoint &point)
{
    for (Holding &holding : m_holdings)
        holding.wanted = 0;
    for (std::size_t part = 0; part < point.bytes.size(); ++part)
        m_holdings[m_holdingOf[part]].wanted += point.bytes[part];
    for (Holding &holding : m_holdings)
        shrink(holding);
    for (Holding &holding : m_holdings)
        grow(holding, point.block);
    ++m_event;
}

} // namespace

RequestStream plannedRequests(const Estimate &figures, const Lifecycle &lifecycle)
{
    if (!figures.computed || figures.settings->workload == Workload::Inference ||
        figures.settings->diffusion)
        return {};
    const Settings &settings = *figures.settings;
    const RankInventory rank =
        rankOf(settings, countParameters(settings.architecture), figures.stage);
    RequestWriter writer(lifecycle, Training(settings, rank));
    for (const LifecyclePoint &point : lifecycle.firstStep)
        writer.reach(point);
    for (const LifecyclePoint &point : lifecycle.steadyStep)
        writer.reach(point);
    return writer.take();
}

} // namespace vramscope
