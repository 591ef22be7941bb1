// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/allocation_plot.h"

#include "core/readers/made_up_addresses.h"
#include "core/readers/plot_data.h"
#include "core/trace/trace_builder.h"
#include "core/trace/trace_format.h"

#include <map>

namespace vramscope {

namespace {

constexpr std::uint64_t kFirstAddress = std::uint64_t(1) << 32;
constexpr std::size_t kDeepestStack = 10'000;
constexpr Bytes kBlockGrain = 512;

// What the allocator makes of a size, so that the addresses are such as it gives.
Bytes rounded(Bytes size)
{
    return (size + kBlockGrain - 1) / kBlockGrain * kBlockGrain;
}

/// Turns the columns of a page into events and blocks.
class Plot
{
public:
    Plot(const PlotData &data, TraceBuilder &builder, std::int64_t fileSize)
        : m_data(data)
        , m_builder(builder)
        , m_framesLeft(fileSize + kMiB)
    {
    }

    Result<std::shared_ptr<const Trace>> build();

private:
    void checkSizes();
    void addActions();
    void addFinalState();
    void allocate(std::size_t element);
    [[nodiscard]] bool isElement(std::int64_t element) const
    {
        return element >= 0 && static_cast<std::size_t>(element) < m_sizes.size() &&
               m_sizes[static_cast<std::size_t>(element)] > 0;
    }
    StackId stackOf(std::size_t element);
    StackId chain(std::int64_t row);
    ContextId contextOf(std::size_t element);
    void problem(const char *kind) { m_builder.addProblem(kind); }

    const PlotData &m_data;
    TraceBuilder &m_builder;
    std::int64_t m_framesLeft; // that stacks may share
    std::vector<Bytes> m_sizes;
    std::vector<std::uint64_t> m_addresses;      // 0: not allocated
    std::map<std::uint64_t, std::size_t> m_live; // elements by address
    MadeUpAddresses m_space{kFirstAddress};
    std::vector<std::pair<bool, StackId>> m_known; // stacks by row, once asked for
};

Result<std::shared_ptr<const Trace>> Plot::build()
{
    checkSizes();
    m_builder.internStream(0);
    addActions();
    addFinalState();
    problem("The page holds no addresses and no segments: addresses are made up, and the memory "
            "reserved is what they take.");
    m_builder.setFormat(std::string(kAllocationPlot));
    m_builder.setProducer("PyTorch 1.13 or 2.0");
    return m_builder.finish();
}

void Plot::checkSizes()
{
    m_sizes = m_data.sizes;
    Bytes left = kMostSizeInAll;
    for (Bytes &size : m_sizes) {
        if (size <= 0 || size > kMostSize || size > left) {
            problem("A size that no device can have.");
            size = 0;
        }
        left -= size;
    }
}

void Plot::allocate(std::size_t element)
{
    m_addresses[element] = m_space.place(rounded(m_sizes[element]));
    m_live.emplace(m_addresses[element], element);
}

/// The first action of an element allocates it, the second frees it.
void Plot::addActions()
{
    m_addresses.assign(m_sizes.size(), 0);
    for (const std::int64_t element : m_data.initiallyAllocated) {
        const auto at = static_cast<std::size_t>(element);
        if (!isElement(element) || m_addresses[at] != 0)
            problem("An action of an allocation that is not there.");
        else
            allocate(at);
    }
    for (const std::int64_t action : m_data.actions) {
        if (!isElement(action)) {
            problem("An action of an allocation that is not there.");
            continue;
        }
        const auto element = static_cast<std::size_t>(action);
        const bool frees = m_addresses[element] != 0;
        if (!frees)
            allocate(element);
        Event event;
        event.action = frees ? Action::FreeCompleted : Action::Alloc;
        event.address = m_addresses[element];
        event.size = m_sizes[element];
        event.stack = stackOf(element);
        event.context = contextOf(element);
        m_builder.addEvent(0, event);
        if (frees) {
            m_space.release(m_addresses[element], rounded(m_sizes[element]));
            m_live.erase(m_addresses[element]);
            m_addresses[element] = 0;
        }
    }
}

/// One segment over all addresses: what lives at the end, and the gaps between.
void Plot::addFinalState()
{
    FinalSegment segment;
    segment.address = kFirstAddress;
    segment.size = static_cast<Bytes>(m_space.end() - kFirstAddress);
    segment.expandable = true; // its blocks are split to the byte, as these are
    std::vector<FinalBlock> blocks;
    std::uint64_t address = kFirstAddress;
    const auto addGap = [&](std::uint64_t end) {
        FinalBlock gap;
        gap.size = static_cast<Bytes>(end - address);
        if (gap.size > 0)
            blocks.push_back(gap);
    };
    for (const auto &[start, element] : m_live) {
        addGap(start);
        FinalBlock block;
        block.size = rounded(m_sizes[element]);
        block.requested = m_sizes[element];
        block.stack = stackOf(element);
        block.context = contextOf(element);
        block.state = BlockState::Allocated;
        blocks.push_back(block);
        address = start + static_cast<std::uint64_t>(block.size);
    }
    addGap(m_space.end());
    if (!blocks.empty())
        m_builder.addSegment(0, segment, blocks);
}

StackId Plot::stackOf(std::size_t element)
{
    if (element >= m_data.infos.size() || m_data.infos[element] < 0)
        return StackId::None;
    const std::int64_t row = m_data.infos[element];
    if (static_cast<std::size_t>(row) >= m_data.suffixes.size()) {
        problem("A stack that is not there.");
        return StackId::None;
    }
    m_known.resize(m_data.suffixes.size(), {false, StackId::None});
    auto &[isKnown, stack] = m_known[static_cast<std::size_t>(row)];
    if (!isKnown) {
        isKnown = true;
        stack = chain(row);
    }
    return stack;
}

/// The frames from a row on: each row names a text and the row of the frame that called it.
StackId Plot::chain(std::int64_t row)
{
    std::vector<FrameId> frames;
    for (std::size_t depth = 0; row >= 0; ++depth) {
        if (static_cast<std::size_t>(row) >= m_data.suffixes.size() || depth > kDeepestStack ||
            --m_framesLeft < 0) {
            problem("A stack that is not there.");
            break;
        }
        const auto [text, next] = m_data.suffixes[static_cast<std::size_t>(row)];
        row = next;
        if (text < 0 || static_cast<std::size_t>(text) >= m_data.frames.size()) {
            problem("A frame without a name, a file or a line.");
            continue;
        }
        const PlotText &named = m_data.frames[static_cast<std::size_t>(text)];
        if (depth > 0 || !named.isDescription)
            frames.push_back(named.frame);
    }
    return m_builder.internStack(frames);
}

ContextId Plot::contextOf(std::size_t element)
{
    if (element >= m_data.elementCategories.size())
        return ContextId::None;
    const std::int64_t category = m_data.elementCategories[element];
    if (category < 0 || static_cast<std::size_t>(category) >= m_data.categories.size())
        return ContextId::None;
    EventContext context;
    context.category = m_data.categories[static_cast<std::size_t>(category)];
    return m_builder.internContext(context);
}

} // namespace

Result<std::shared_ptr<const Trace>> readAllocationPlot(ByteWindow &input, const Progress &progress)
{
    TraceBuilder builder;
    const auto data = readPlotData(input, builder, progress);
    if (!data.ok())
        return data.error();
    return Plot(*data, builder, input.size()).build();
}

} // namespace vramscope
