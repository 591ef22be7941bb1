// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"

#include "core/readers/json_input.h"
#include "core/readers/made_up_addresses.h"
#include "core/trace/trace_builder.h"
#include "core/trace/trace_format.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

/// A text of a page: a frame, or the page's label for the size of an allocation.
struct PlotText
{
    FrameId frame{};
    bool isDescription = false;
};

/// The columns of a page of the memory viewer of 2022 as written; an element is an allocation. A
/// null in the file is -1.
struct PlotData
{
    std::vector<std::int64_t> actions;            ///< elements, in order
    std::vector<std::int64_t> initiallyAllocated; ///< elements
    std::vector<Bytes> sizes;
    std::vector<std::int64_t> infos;                             ///< rows of `suffixes`
    std::vector<std::int64_t> elementCategories;                 ///< into `categories`
    std::vector<std::pair<std::int64_t, std::int64_t>> suffixes; ///< text and next row
    std::vector<PlotText> frames;                                ///< the texts
    std::vector<StringId> categories;
};

/// "/a/b.py:10:forward" as a frame; nothing for text in another form.
std::optional<Frame> frameOf(std::string_view text, TraceBuilder &builder)
{
    for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
         colon = text.find(':', colon + 1)) {
        Frame frame;
        const char *const end = text.data() + text.size();
        const auto line = std::from_chars(text.data() + colon + 1, end, frame.line);
        if (line.ec != std::errc() || line.ptr == end || *line.ptr != ':')
            continue;
        frame.file = builder.internText(text.substr(0, colon));
        frame.name =
            builder.internText(text.substr(static_cast<std::size_t>(line.ptr - text.data()) + 1));
        return frame;
    }
    return {};
}

/// Called by a JSON parser, one level at a time: an object of columns, with pairs in one of them.
class Columns
{
public:
    Columns(JsonInput &input, TraceBuilder &builder)
        : m_input(input)
        , m_builder(builder)
    {
    }

    bool null() { return number(-1); }
    bool boolean(bool) { return ended(); }
    bool number_integer(std::int64_t value) { return number(value); }
    bool number_unsigned(std::uint64_t value) { return number(static_cast<std::int64_t>(value)); }
    bool number_float(double value, const std::string &)
    {
        constexpr double kMost = 9.0e18;
        return number(value > -kMost && value < kMost ? static_cast<std::int64_t>(value) : -1);
    }
    bool string(const std::string &value);
    bool binary(const nlohmann::json::binary_t &) { return ended(); }
    bool start_object(std::size_t) { return open(); }
    bool key(const std::string &value)
    {
        if (m_depth == 1)
            m_key = value;
        return ended();
    }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t, const std::string &, const nlohmann::json::exception &)
    {
        return false;
    }

    PlotData data;
    bool hasEvents = false;

private:
    static constexpr int kColumn = 2;
    static constexpr int kPair = 3;

    bool ended()
    {
        m_input.tokenEnded();
        return true;
    }
    bool open()
    {
        constexpr int kMostDepth = 100;
        m_pair.clear();
        return ended() && ++m_depth < kMostDepth;
    }
    bool close();
    bool number(std::int64_t value);

    JsonInput &m_input;
    TraceBuilder &m_builder;
    int m_depth = 0;
    std::string m_key;
    std::vector<std::int64_t> m_pair;
};

bool Columns::close()
{
    if (m_depth == kPair && m_key == "suffix_table" && m_pair.size() == 2)
        data.suffixes.emplace_back(m_pair[0], m_pair[1]);
    hasEvents |= m_depth == kColumn && m_key == "actions";
    --m_depth;
    return ended();
}

bool Columns::number(std::int64_t value)
{
    if (m_depth == kPair && m_pair.size() < 2)
        m_pair.push_back(value);
    if (m_depth == kColumn) {
        if (m_key == "actions")
            data.actions.push_back(value);
        else if (m_key == "initially_allocated")
            data.initiallyAllocated.push_back(value);
        else if (m_key == "elements_size")
            data.sizes.push_back(value);
        else if (m_key == "elements_info")
            data.infos.push_back(value);
        else if (m_key == "elements_category")
            data.elementCategories.push_back(value);
    }
    return ended();
}

bool Columns::string(const std::string &value)
{
    if (m_depth == kColumn && m_key == "categories") {
        data.categories.push_back(m_builder.internText(value));
    } else if (m_depth == kColumn && m_key == "string_table") {
        PlotText text;
        if (const auto frame = frameOf(value, m_builder)) {
            text.frame = m_builder.internFrame(*frame);
        } else {
            text.frame = m_builder.internFrame(value, {}, 0);
            text.isDescription = value.find(" allocation") != std::string::npos;
        }
        data.frames.push_back(text);
    }
    return ended();
}

/// Reads the object at the cursor; at most eight bytes for each number of the file.
Result<PlotData> readPlotData(ByteWindow &window, TraceBuilder &builder, const Progress &progress)
{
    JsonInput input(window, progress);
    Columns columns(input, builder);
    const bool parsed = nlohmann::json::sax_parse(input.begin(), input.end(), &columns,
                                                  nlohmann::json::input_format_t::json, false);
    if (input.failure())
        return *input.failure();
    if (!parsed)
        return Error{input.isAtEnd() ? ErrorCode::Truncated : ErrorCode::Malformed,
                     "The data in this page of PyTorch's memory viewer is damaged or incomplete; "
                     "save or make the page again.",
                     input.offset()};
    if (!columns.hasEvents)
        return Error{ErrorCode::Unsupported,
                     "This page of an early memory viewer of PyTorch holds no allocations over "
                     "time; open the snapshot that it was made from."};
    return std::move(columns.data);
}

constexpr std::uint64_t kFirstAddress = std::uint64_t(1) << 32;
constexpr std::size_t kDeepestStack = 10'000;
constexpr Bytes kBlockGrain = 512;

// The allocator's rounding of a size, so that the addresses resemble the allocator's.
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
    std::vector<std::pair<bool, StackId>> m_known; // stacks by row, once requested
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

/// One segment over all addresses: the blocks alive at the end, and the gaps between.
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
