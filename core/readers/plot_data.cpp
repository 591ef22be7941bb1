// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/plot_data.h"

#include "core/readers/json_input.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>

namespace vramscope {

namespace {

/// "/a/b.py:10:forward" as a frame; nothing where the text is not of that form.
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

/// What a parser of JSON calls, a level at a time: an object of columns, and in one of them pairs.
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

} // namespace

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

} // namespace vramscope
