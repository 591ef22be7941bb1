// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/naive_profile.h"

#include "core/profile/profile_builder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

namespace vramscope::test {

namespace {

using Tree = nlohmann::ordered_json;

/// A tree in which numbers with a fraction are texts, so that no digit is lost.
class TreeWithDecimals : public nlohmann::detail::json_sax_dom_parser<Tree>
{
public:
    explicit TreeWithDecimals(Tree &tree)
        : json_sax_dom_parser(tree, false)
    {
    }
    bool number_float(double, const std::string &digits)
    {
        std::string text = digits;
        return string(text);
    }
};

std::optional<Tree> parsed(const std::string &text)
{
    Tree tree;
    TreeWithDecimals handler(tree);
    if (!Tree::sax_parse(text, &handler))
        return std::nullopt;
    return tree;
}

std::optional<Tree> repaired(std::string_view text)
{
    std::string whole(text);
    if (auto tree = parsed(whole))
        return tree;
    whole.erase(whole.find_last_not_of(" \n\r\t,") + 1);
    if (auto tree = parsed(whole + "]}"))
        return tree;
    return parsed(whole + "]");
}

const Tree &member(const Tree &object, const char *key)
{
    static const Tree none;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return !object.is_object() || found == object.end() ? none : *found;
}

bool has(const Tree &object, const char *key)
{
    return object.is_object() && object.contains(key);
}

/// A whole number, also one written as a text.
std::int64_t integer(const Tree &value)
{
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (!value.is_string())
        return kNotStated;
    const auto &text = value.get_ref<const std::string &>();
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    return status == std::errc() && end == text.data() + text.size() ? number : kNotStated;
}

/// Microseconds to nanoseconds, digit by digit, half a nanosecond up.
std::int64_t nanoseconds(const Tree &value)
{
    if (value.is_number_integer())
        return value.get<std::int64_t>() * 1000;
    const std::string text = value.is_string() ? value.get<std::string>() : "0";
    const bool isNegative = text.starts_with('-');
    std::int64_t number = 0;
    int decimals = -1;
    bool up = false;
    for (const char c : text) {
        if (c == '.')
            decimals = 0;
        if (c < '0' || c > '9')
            continue;
        if (decimals == 3) {
            up = c >= '5';
            break;
        }
        number = number * 10 + (c - '0');
        decimals += decimals >= 0 ? 1 : 0;
    }
    for (int at = std::max(decimals, 0); at < 3; ++at)
        number *= 10;
    number += up ? 1 : 0;
    return isNegative ? -number : number;
}

/// As Python's json.dumps() writes it.
std::string dumped(const Tree &value)
{
    if (!value.is_structured())
        return value.dump();
    std::string text;
    for (const auto &[key, each] : value.items()) {
        text += text.empty() ? "" : ", ";
        text += (value.is_object() ? Tree(key).dump() + ": " : "") + dumped(each);
    }
    return value.is_object() ? '{' + text + '}' : '[' + text + ']';
}

/// As Python's str() writes it, a text without quotes.
std::string shown(const Tree &value)
{
    return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : dumped(value);
}

bool isOne(std::string_view text, std::initializer_list<std::string_view> of)
{
    return std::ranges::find(of, text) != of.end();
}

bool isCall(std::string_view category)
{
    if (category.ends_with("Runtime"))
        return true;
    for (const std::string_view maker : {"cuda", "hip", "mtia", "xpu", "musa", "privateuse1"}) {
        for (const std::string_view end : {"_runtime", "_driver"}) {
            if (category.ends_with(std::string(maker) + std::string(end)))
                return true;
        }
    }
    return false;
}

void setKind(ProfileEvent &event, std::string_view category)
{
    event.kind = ProfileEventKind::Work;
    if (isOne(category, {"kernel", "Kernel", "mtia_ccp_events"}))
        event.work = WorkKind::Kernel;
    else if (isOne(category, {"gpu_memcpy", "Memcpy"}))
        event.work = WorkKind::Copy;
    else if (isOne(category, {"gpu_memset", "Memset"}))
        event.work = WorkKind::Fill;
    else if (isCall(category))
        event.kind = ProfileEventKind::Call;
    else if (isOne(category, {"cpu_op", "Operator"}))
        event.kind = ProfileEventKind::Operator;
    else if (isOne(category, {"user_annotation", "gpu_user_annotation", "overhead",
                              "python_function", "cuda_sync"}))
        event.kind = ProfileEventKind::Range;
    else
        event.kind = ProfileEventKind::Other;
    event.range = category == "gpu_user_annotation" ? RangeKind::Device
                  : category == "overhead"          ? RangeKind::Overhead
                  : category == "python_function"   ? RangeKind::Python
                  : category == "cuda_sync"         ? RangeKind::Sync
                                                    : RangeKind::User;
}

class NaiveReader
{
public:
    std::shared_ptr<const Profile> read(const Tree &tree)
    {
        const Tree &events = tree.is_array() ? tree : member(tree, "traceEvents");
        for (const Tree &event : events)
            readEvent(event);
        m_builder.setEventCount(static_cast<std::int64_t>(events.size()));
        if (const std::int64_t base = integer(member(tree, "baseTimeNanoseconds"));
            base != kNotStated)
            m_builder.setBase(base, Clock::Epoch);
        const Tree &distributed = member(tree, "distributedInfo");
        m_builder.setRank(integer(member(distributed, "rank")),
                          integer(member(distributed, "world_size")));
        for (const Tree &gpu : member(tree, "deviceProperties")) {
            ProfileGpu one{integer(member(gpu, "id")), std::nullopt,
                           integer(member(gpu, "totalGlobalMem"))};
            if (member(gpu, "name").is_string())
                one.name = member(gpu, "name").get<std::string>();
            m_builder.addGpu(std::move(one));
        }
        return m_builder.finish([] { return true; });
    }

private:
    StringId text(const Tree &value)
    {
        return value.is_null() ? StringId::Empty : m_builder.internText(shown(value));
    }
    StringId json(const Tree &value)
    {
        return value.is_null() ? StringId::Empty : m_builder.internText(dumped(value));
    }

    void readEvent(const Tree &event)
    {
        const std::string phase = shown(member(event, "ph"));
        const std::string name = shown(member(event, "name"));
        const std::string category = shown(member(event, "cat"));
        const std::uint32_t thread =
            m_builder.thread(dumped(member(event, "pid")), dumped(member(event, "tid")));
        if (name == "[memory]")
            readMemory(event, thread);
        if (isOne(phase, {"s", "f"}) && (name == "fwdbwd" || category == "fwdbwd"))
            m_builder.addFlow(integer(member(event, "id")), phase == "s", thread,
                              nanoseconds(member(event, "ts")));
        if (phase != "X" || !has(event, "ts") || category.empty())
            return;
        ProfileEvent one;
        setKind(one, category);
        one.name = m_builder.internText(name);
        one.start = nanoseconds(member(event, "ts"));
        one.end = one.start + std::max(std::int64_t(0), nanoseconds(member(event, "dur")));
        one.thread = thread;
        one.process = integer(member(event, "pid"));
        one.threadNumber = integer(member(event, "tid"));
        readArguments(one, member(event, "args"));
        m_builder.add(one);
    }

    void readArguments(ProfileEvent &one, const Tree &args)
    {
        one.device = integer(member(args, "device"));
        one.stream = integer(member(args, "stream"));
        one.correlation = integer(member(args, "correlation"));
        one.hasExternalId = has(args, "External id");
        one.externalId = integer(member(args, one.hasExternalId ? "External id" : "external id"));
        one.bytes = integer(member(args, has(args, "bytes") ? "bytes" : "Bytes"));
        one.shapes = json(member(args, has(args, "Input Dims") ? "Input Dims" : "Input dims"));
        one.types = json(member(args, "Input type"));
        one.stack = text(member(args, "Call stack"));
        one.module = text(member(args, "Module Hierarchy"));
        one.sequence = integer(member(args, "Sequence number"));
        one.forwardThread = integer(member(args, "Fwd thread id"));
        readShape(one, args);
        readCollective(one, args);
    }

    static void readShape(ProfileEvent &one, const Tree &args)
    {
        one.hasShape = has(args, "grid");
        for (std::size_t at = 0; at < 3; ++at) {
            const auto side = [&](const char *key) {
                const Tree &sides = member(args, key);
                return sides.is_array() && at < sides.size() ? integer(sides[at]) : kNotStated;
            };
            one.shape.grid[at] = side("grid");
            one.shape.block[at] = side("block");
        }
        one.shape.registers = integer(member(args, "registers per thread"));
        one.shape.sharedMemory = integer(member(args, "shared memory"));
        one.shape.occupancy = integer(member(args, "est. achieved occupancy %"));
    }

    void readCollective(ProfileEvent &one, const Tree &args)
    {
        for (const char *key :
             {"Collective name", "dtype", "In msg nelems", "Out msg nelems", "Group size",
              "Process Group Name", "Process Group Ranks", "In split size", "Seq"})
            one.statesCollective = one.statesCollective || has(args, key);
        if (!one.statesCollective)
            return;
        ProfileCollective &to = one.collective;
        to.isNamed = has(args, "Collective name");
        to.name = text(member(args, "Collective name"));
        to.dtype = text(member(args, "dtype"));
        to.group = text(member(args, "Process Group Name"));
        to.ranks = text(member(args, "Process Group Ranks"));
        to.splits = text(member(args, "In split size"));
        to.sent = integer(member(args, "In msg nelems"));
        to.got = integer(member(args, "Out msg nelems"));
        to.size = integer(member(args, "Group size"));
        to.number = integer(member(args, "Seq"));
    }

    void readMemory(const Tree &event, std::uint32_t thread)
    {
        const Tree &args = member(event, "args");
        ProfileMemoryEvent one;
        one.time = nanoseconds(member(event, "ts"));
        one.index = integer(member(args, "Ev Idx"));
        one.bytes = integer(member(args, "Bytes"));
        one.address = integer(member(args, "Addr"));
        one.allocated = integer(member(args, "Total Allocated"));
        one.reserved = integer(member(args, "Total Reserved"));
        one.deviceType = integer(member(args, "Device Type"));
        one.deviceId = integer(member(args, "Device Id"));
        one.thread = thread;
        m_builder.addMemory(one);
    }

    ProfileBuilder m_builder;
};

} // namespace

std::shared_ptr<const Profile> naiveProfile(std::string_view text)
{
    const std::optional<Tree> tree = repaired(text);
    if (!tree || !tree->is_structured())
        return nullptr;
    return NaiveReader().read(*tree);
}

} // namespace vramscope::test
