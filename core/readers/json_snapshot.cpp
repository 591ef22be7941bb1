// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"

#include "core/readers/json_input.h"
#include "core/readers/pickle_heap.h"
#include "core/readers/snapshot_assembly.h"

#include <nlohmann/json.hpp>

#include <bit>

namespace vramscope {

using namespace pickle;

namespace {

using Json = nlohmann::json;

constexpr std::size_t kDeepestValue = 100;
constexpr std::size_t kBatch = 1000; // as Python's pickle fills containers

/// Called by a JSON parser: turns the values of the file into those of a heap.
class Values
{
public:
    Values(JsonInput &input, Heap &heap, SnapshotShape &shape)
        : m_input(input)
        , m_heap(heap)
        , m_shape(shape)
    {
    }

    bool null() { return push({}); }
    bool boolean(bool value) { return push({ValueKind::Bool, value}); }
    bool number_integer(std::int64_t value)
    {
        return push({ValueKind::Int, static_cast<std::uint64_t>(value)});
    }
    bool number_unsigned(std::uint64_t value) { return push({ValueKind::Int, value}); }
    bool number_float(double value, const std::string &)
    {
        return push({ValueKind::Float, std::bit_cast<std::uint64_t>(value)});
    }
    bool string(const std::string &value) { return push(Value::of(m_shape.intern(value))); }
    bool binary(const Json::binary_t &) { return push({ValueKind::Opaque, 0}); }
    bool start_object(std::size_t) { return open(ObjectKind::EmptyDict); }
    bool key(const std::string &value)
    {
        m_input.tokenEnded();
        m_values.push(Value::of(m_shape.intern(value)));
        return true;
    }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(ObjectKind::EmptyList); }
    bool end_array() { return close(); }
    bool parse_error(std::size_t, const std::string &, const Json::exception &) { return false; }

    /// The outermost value, once it is complete.
    [[nodiscard]] const std::optional<Value> &top() const { return m_top; }
    [[nodiscard]] const std::optional<Error> &failure() const { return m_failure; }

private:
    struct Level
    {
        Value container;
        std::size_t height = 0; // where its own values begin
        bool isDict = false;
        bool isFilled = false;
    };

    bool open(ObjectKind kind);
    bool close();
    bool push(const Value &value);
    void fill(Level &level);

    JsonInput &m_input;
    Heap &m_heap;
    SnapshotShape &m_shape;
    ValueStack m_values;
    std::vector<Level> m_levels;
    std::optional<Value> m_top;
    std::optional<Error> m_failure;
};

bool Values::open(ObjectKind kind)
{
    m_input.tokenEnded();
    if (m_levels.size() == kDeepestValue) {
        m_failure = Error{ErrorCode::Malformed,
                          "The JSON is nested more deeply than any snapshot; record it again.",
                          m_input.offset()};
        return false;
    }
    if (m_heap.full()) {
        m_failure = Error{ErrorCode::Unsupported,
                          "The file holds more containers than VRAMscope can number; record "
                          "fewer events with max_entries.",
                          m_input.offset()};
        return false;
    }
    m_levels.push_back({m_heap.add(kind), m_values.size(), kind == ObjectKind::EmptyDict});
    return true;
}

bool Values::close()
{
    Level level = m_levels.back();
    m_levels.pop_back();
    // A pair, as pools are, needs no node of its own.
    const std::size_t count = m_values.size() - level.height;
    if (!level.isDict && !level.isFilled && count == 2 && fitsPair(m_values[level.height]) &&
        fitsPair(m_values[level.height + 1]))
        m_heap.object(level.container) =
            makePair(m_values[level.height], m_values[level.height + 1]);
    else if (count > 0)
        fill(level);
    m_values.cut(level.height);
    return push(level.container);
}

void Values::fill(Level &level)
{
    const auto items = m_values.from(level.height);
    if (level.isDict)
        m_shape.fillDict(m_heap, level.container, items, m_input.offset());
    else
        m_shape.fillList(m_heap, level.container, items, m_input.offset());
    m_values.cut(level.height);
    level.isFilled = true;
}

bool Values::push(const Value &value)
{
    m_input.tokenEnded();
    if (m_levels.empty()) {
        m_top = value;
        return true;
    }
    m_values.push(value);
    Level &level = m_levels.back();
    if (m_values.size() - level.height == (level.isDict ? 2 * kBatch : kBatch)) {
        const std::int64_t bytes = m_input.size();
        m_heap.justify(bytes);
        m_shape.justify(bytes);
        fill(level);
    }
    m_failure = m_shape.failure();
    return !m_failure;
}

Error damaged(const JsonInput &input)
{
    if (input.isAtEnd())
        return {ErrorCode::Truncated,
                "The file ends before its JSON does: it was not written or copied to the end; copy "
                "it again or record it again.",
                input.offset()};
    return {ErrorCode::Malformed, "The JSON is damaged; copy the file again or record it again.",
            input.offset()};
}

} // namespace

Result<std::shared_ptr<const Trace>> readJsonSnapshot(ByteWindow &window, const Progress &progress)
{
    TraceBuilder builder;
    Heap heap;
    SnapshotShape shape(builder, heap);
    heap.justify(window.size());
    shape.justify(window.size());
    JsonInput input(window, progress);
    Values values(input, heap, shape);
    const bool parsed =
        Json::sax_parse(input.begin(), input.end(), &values, Json::input_format_t::json, false);
    if (input.failure())
        return *input.failure();
    if (values.failure())
        return *values.failure();
    if (!parsed || !values.top())
        return damaged(input);
    input.finish();
    if (const auto ended = endSnapshot(window, builder, "the JSON", progress); !ended.ok())
        return ended.error();
    shape.justify(window.size());
    return finishSnapshot(*values.top(), builder, heap, shape, 0);
}

} // namespace vramscope
