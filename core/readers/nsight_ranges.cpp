// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/nsight_ranges.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <tuple>

namespace vramscope::nsight {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kPrefix = "nccl";

/// The whole number at the beginning of `text`; otherwise kNoNumber.
std::int64_t numberAt(std::string_view text)
{
    std::int64_t value = kNoNumber;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() ? value : kNoNumber;
}

/// The list at the beginning of `text`, up to its closing bracket.
std::string_view listAt(std::string_view text)
{
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
        if (depth == 0)
            return at == 0 ? std::string_view() : text.substr(0, at + 1);
    }
    return {};
}

std::uint64_t littleEndian(std::string_view bytes)
{
    std::uint64_t value = 0;
    for (std::size_t at = bytes.size(); at-- > 0;)
        value = value << 8 | static_cast<std::uint8_t>(bytes[at]);
    return value;
}

/// Bytes of the types of payload fields that NCCL uses: uint32, uint64, size_t; 0 of others.
std::size_t sizeOfType(std::int64_t type)
{
    switch (type) {
    case 5: // uint32_t
        return 4;
    case 18: // uint64_t
    case 22: // size_t
        return 8;
    default:
        return 0;
    }
}

std::int64_t product(std::int64_t a, std::int64_t b)
{
    std::int64_t value = 0;
    return a == kNoNumber || b == kNoNumber || a < 0 || b < 0 ||
                   __builtin_mul_overflow(a, b, &value)
               ? kNoNumber
               : value;
}

std::int64_t sum(std::int64_t a, std::int64_t b)
{
    std::int64_t value = 0;
    return a == kNoNumber || b == kNoNumber || __builtin_add_overflow(a, b, &value) ? kNoNumber
                                                                                    : value;
}

} // namespace

OperatorText operatorText(std::string_view text)
{
    constexpr std::string_view kSequence = ", seq = ";
    constexpr std::string_view kNumber = ", op_id = ";
    constexpr std::string_view kShapes = ", sizes = ";
    constexpr std::string_view kInputs = ", input_op_ids = ";
    OperatorText result;
    result.name = text;
    // Before PyTorch 1.10 operators have no number.
    result.isOperator = text.starts_with("aten::");
    bool isNamed = false;
    for (std::size_t at = text.find(','); at != text.npos; at = text.find(',', at + 1)) {
        const std::string_view rest = text.substr(at);
        constexpr std::size_t kFirst = 2; // letter of the next text: excludes most commas
        const char first = rest.size() > kFirst ? rest[kFirst] : '\0';
        if (first == kSequence[kFirst] && rest.starts_with(kSequence))
            result.sequence = numberAt(rest.substr(kSequence.size()));
        else if (first == kShapes[kFirst] && rest.starts_with(kShapes))
            result.shapes = listAt(rest.substr(kShapes.size()));
        else if (!(first == kNumber[kFirst] && rest.starts_with(kNumber)) &&
                 !(first == kInputs[kFirst] && rest.starts_with(kInputs)))
            continue;
        if (!isNamed)
            result.name = text.substr(0, at);
        isNamed = true;
        if (first == kShapes[kFirst] && rest.starts_with(kShapes)) // its commas separate numbers
            at += kShapes.size() + result.shapes.size();
    }
    result.isOperator = result.isOperator || isNamed;
    return result;
}

bool isBackward(std::string_view name)
{
    constexpr std::string_view kEngine = "autograd::engine::evaluate_function";
    if (name.starts_with(kEngine))
        return true;
    while (!name.empty() && isDigit(name.back()))
        name.remove_suffix(1);
    return name.ends_with("Backward");
}

Result<PayloadLayouts> PayloadLayouts::read(SqliteFile &file)
{
    static constexpr SqliteColumns kColumns{"schemaId", "type", "name", "offset"};
    constexpr std::pair<std::string_view, std::optional<Field> Layout::*> kFields[] = {
        {"NCCL communicator ID", &Layout::communicator},
        {"Message size [bytes]", &Layout::bytes},
        {"No. of ranks", &Layout::ranks}};
    PayloadLayouts layouts;
    const auto read =
        file.forEachRow("NVTX_PAYLOAD_SCHEMA_ENTRIES", kColumns.names, [&](SqliteRow row) {
            constexpr std::int64_t kLongest = 4096;
            // The first field has no offset.
            const bool isFirst = row.isNull(kColumns["offset"]);
            const std::int64_t offset = isFirst ? 0 : row.number(kColumns["offset"]);
            const std::size_t size = sizeOfType(row.number(kColumns["type"]));
            if (size == 0 || offset < 0 || offset > kLongest)
                return;
            for (const auto &[name, field] : kFields) {
                if (row.text(kColumns["name"]) == name)
                    layouts.m_layouts[row.number(kColumns["schemaId"])].*field =
                        Field{static_cast<std::size_t>(offset), size};
            }
        });
    if (!read.ok())
        return read.error();
    return layouts;
}

std::optional<NcclPayload> PayloadLayouts::nccl(std::string_view payload) const
{
    constexpr std::size_t kHeader = 32;
    constexpr std::size_t kSchema = 8; // in the header
    if (payload.size() < kHeader)
        return std::nullopt;
    const auto layout =
        m_layouts.find(static_cast<std::int64_t>(littleEndian(payload.substr(kSchema, 4))));
    if (layout == m_layouts.end() || !layout->second.communicator)
        return std::nullopt;
    const std::string_view fields = payload.substr(kHeader);
    const auto value = [&](const std::optional<Field> &field) -> std::optional<std::uint64_t> {
        if (!field || field->offset + field->size > fields.size())
            return std::nullopt;
        return littleEndian(fields.substr(field->offset, field->size));
    };
    const auto stated = [&](const std::optional<Field> &field) {
        const std::optional<std::uint64_t> found = value(field);
        return found && *found <= std::uint64_t(INT64_MAX) ? static_cast<std::int64_t>(*found)
                                                           : kNoNumber;
    };
    const auto communicator = value(layout->second.communicator);
    if (!communicator)
        return std::nullopt;
    return NcclPayload{*communicator, stated(layout->second.bytes), stated(layout->second.ranks)};
}

void NcclRanges::add(std::string_view name, std::int64_t start, std::int64_t end,
                     std::uint32_t thread, const std::optional<NcclPayload> &payload)
{
    if (!name.starts_with(kPrefix))
        return;
    if (payload && payload->ranks != kNoNumber)
        m_sizes[payload->communicator] = payload->ranks;
    m_ranges.push_back({start, end, thread, std::string(name.substr(kPrefix.size())), payload});
}

/// The bytes that one call moves. NCCL reports a rank's own input or output: for an all-gather the
/// part of one rank, for a reduce-scatter as well.
NcclLaunch NcclRanges::launchOf(const Range &range) const
{
    NcclLaunch launch{range.start, range.end, range.thread, range.name, 0, kNoNumber, kNoNumber};
    if (launch.name == "Bcast")
        launch.name = "Broadcast";
    if (!range.payload)
        return launch;
    launch.communicator = range.payload->communicator;
    if (const auto size = m_sizes.find(launch.communicator); size != m_sizes.end())
        launch.ranks = size->second;
    constexpr std::array kWhole{"AllReduce"sv, "Broadcast"sv, "Reduce"sv, "Send"sv, "Recv"sv};
    if (isOneOf(launch.name, kWhole))
        launch.bytes = range.payload->bytes;
    else if (range.name == "AllGather" || range.name == "ReduceScatter")
        launch.bytes = product(range.payload->bytes, launch.ranks);
    return launch;
}

/// The bytes that the calls of a group move together: sends and receives are one exchange, counted
/// by its larger side; calls of one kind add up; other mixtures are unknown.
NcclLaunch NcclRanges::groupOf(const std::vector<const Range *> &calls) const
{
    NcclLaunch all;
    std::int64_t sent = 0;
    std::int64_t received = 0;
    bool isExchange = true;
    bool isOneKind = true;
    for (const Range *call : calls) {
        const NcclLaunch one = launchOf(*call);
        if (call == calls.front())
            all = one;
        else if (one.communicator != all.communicator)
            return {};
        isOneKind = isOneKind && one.name == all.name;
        isExchange = isExchange && (one.name == "Send" || one.name == "Recv");
        std::int64_t &side = one.name == "Recv" ? received : sent;
        side = sum(side, one.bytes);
    }
    if (isExchange && !isOneKind) {
        all.name = "SendRecv";
        all.bytes =
            sent == kNoNumber || received == kNoNumber ? kNoNumber : std::max(sent, received);
    } else if (isOneKind) {
        all.bytes = all.name == "Recv" ? received : sent;
    } else {
        return {};
    }
    return all;
}

std::vector<NcclLaunch> NcclRanges::launches()
{
    std::ranges::stable_sort(m_ranges, [](const Range &a, const Range &b) {
        return std::tie(a.thread, a.start, b.end) < std::tie(b.thread, b.start, a.end);
    });
    std::vector<NcclLaunch> launches;
    std::vector<const Range *> group;
    int depth = 0;
    std::uint32_t thread = 0;
    for (const Range &range : m_ranges) {
        if (range.thread != thread) { // a group that the end of the recording cut off
            depth = 0;
            group.clear();
            thread = range.thread;
        }
        const bool isCall = range.payload && range.payload->bytes != kNoNumber;
        if (range.name == "GroupStart") {
            ++depth;
        } else if (range.name == "GroupEnd") {
            if (--depth > 0)
                continue;
            depth = 0;
            if (!group.empty()) {
                NcclLaunch launch = groupOf(group);
                launch.start = range.start;
                launch.end = range.end;
                launch.thread = range.thread;
                if (!launch.name.empty())
                    launches.push_back(std::move(launch));
            }
            group.clear();
        } else if (isCall && depth > 0) {
            group.push_back(&range);
        } else if (isCall) {
            launches.push_back(launchOf(range));
        }
    }
    return launches;
}

} // namespace vramscope::nsight
