// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/chrome_names.h"

#include <nlohmann/json.hpp>

#include <array>

namespace vramscope::chrome {

namespace {

struct ArgumentName
{
    std::string_view key;
    Argument argument;
};

constexpr std::array kArguments{
    ArgumentName{"Seq", Argument::Seq},
    ArgumentName{"Addr", Argument::Address},
    ArgumentName{"name", Argument::Name},
    ArgumentName{"grid", Argument::Grid},
    ArgumentName{"Bytes", Argument::Bytes},
    ArgumentName{"block", Argument::Block},
    ArgumentName{"bytes", Argument::Bytes},
    ArgumentName{"dtype", Argument::DataType},
    ArgumentName{"device", Argument::Device},
    ArgumentName{"stream", Argument::Stream},
    ArgumentName{"Ev Idx", Argument::EventIndex},
    ArgumentName{"Device Id", Argument::DeviceId},
    ArgumentName{"Input Dims", Argument::InputDims},
    ArgumentName{"Input dims", Argument::LowerInputDims},
    ArgumentName{"Input type", Argument::InputType},
    ArgumentName{"Call stack", Argument::CallStack},
    ArgumentName{"Group size", Argument::GroupSize},
    ArgumentName{"correlation", Argument::Correlation},
    ArgumentName{"External id", Argument::ExternalId},
    ArgumentName{"external id", Argument::LowerExternalId},
    ArgumentName{"Device Type", Argument::DeviceType},
    ArgumentName{"In split size", Argument::SentSplits},
    ArgumentName{"In msg nelems", Argument::Sent},
    ArgumentName{"Fwd thread id", Argument::ForwardThread},
    ArgumentName{"shared memory", Argument::SharedMemory},
    ArgumentName{"Out msg nelems", Argument::Received},
    ArgumentName{"Total Reserved", Argument::TotalReserved},
    ArgumentName{"Total Allocated", Argument::TotalAllocated},
    ArgumentName{"Sequence number", Argument::SequenceNumber},
    ArgumentName{"Collective name", Argument::CollectiveName},
    ArgumentName{"Module Hierarchy", Argument::ModuleHierarchy},
    ArgumentName{"Process Group Name", Argument::GroupName},
    ArgumentName{"Process Group Ranks", Argument::GroupRanks},
    ArgumentName{"registers per thread", Argument::Registers},
    ArgumentName{"est. achieved occupancy %", Argument::Occupancy},
};

constexpr std::size_t kLongestKey = 25;

/// Where the keys of each length begin in kArguments, which is ordered by length.
constexpr auto kByLength = [] {
    std::array<std::uint8_t, kLongestKey + 2> first{};
    for (std::size_t length = 0; length < first.size(); ++length) {
        std::size_t at = 0;
        while (at < kArguments.size() && kArguments[at].key.size() < length)
            ++at;
        first[length] = static_cast<std::uint8_t>(at);
    }
    return first;
}();

constexpr bool isOrderedByLength()
{
    for (std::size_t at = 1; at < kArguments.size(); ++at) {
        if (kArguments[at].key.size() < kArguments[at - 1].key.size())
            return false;
    }
    return kArguments.back().key.size() == kLongestKey;
}

struct CategoryName
{
    std::string_view name;
    Category category;
};

constexpr Category kOperator{ProfileEventKind::Operator, {}, {}};
constexpr Category kCall{ProfileEventKind::Call, {}, {}};

constexpr Category workOf(WorkKind kind)
{
    return {ProfileEventKind::Work, kind, {}};
}

constexpr Category rangeOf(RangeKind kind)
{
    return {ProfileEventKind::Range, {}, kind};
}

constexpr std::array kCategories{
    CategoryName{"cpu_op", kOperator},
    CategoryName{"kernel", workOf(WorkKind::Kernel)},
    CategoryName{"cuda_runtime", kCall},
    CategoryName{"Operator", kOperator},
    CategoryName{"Kernel", workOf(WorkKind::Kernel)},
    CategoryName{"gpu_memcpy", workOf(WorkKind::Copy)},
    CategoryName{"gpu_memset", workOf(WorkKind::Fill)},
    CategoryName{"Memcpy", workOf(WorkKind::Copy)},
    CategoryName{"Memset", workOf(WorkKind::Fill)},
    CategoryName{"mtia_ccp_events", workOf(WorkKind::Kernel)},
    CategoryName{"user_annotation", rangeOf(RangeKind::User)},
    CategoryName{"gpu_user_annotation", rangeOf(RangeKind::Device)},
    CategoryName{"cuda_sync", rangeOf(RangeKind::Sync)},
    CategoryName{"overhead", rangeOf(RangeKind::Overhead)},
    CategoryName{"python_function", rangeOf(RangeKind::Python)},
};

/// "cuda_driver", "hip_runtime", and those with something before them.
bool isCall(std::string_view category)
{
    constexpr std::string_view kVendors[] = {"cuda", "hip", "mtia", "xpu", "musa", "privateuse1"};
    if (category.ends_with("Runtime"))
        return true;
    for (const std::string_view kind : {"_runtime", "_driver"}) {
        if (!category.ends_with(kind))
            continue;
        const std::string_view before = category.substr(0, category.size() - kind.size());
        for (const std::string_view vendor : kVendors) {
            if (before.ends_with(vendor))
                return true;
        }
    }
    return false;
}

void write(const nlohmann::ordered_json &value, std::string &to)
{
    const bool isObject = value.is_object();
    if (!isObject && !value.is_array()) {
        to += value.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
        return;
    }
    to += isObject ? '{' : '[';
    bool isFirst = true;
    for (auto item = value.begin(); item != value.end(); ++item) {
        to += isFirst ? "" : ", ";
        isFirst = false;
        if (isObject)
            to += nlohmann::ordered_json(item.key()).dump(-1, ' ', true) + ": ";
        write(*item, to);
    }
    to += isObject ? '}' : ']';
}

} // namespace

static_assert(isOrderedByLength());

Argument argumentOf(std::string_view key)
{
    if (key.size() > kLongestKey)
        return Argument::None;
    const std::size_t last = kByLength[key.size() + 1];
    for (std::size_t at = kByLength[key.size()]; at < last; ++at) {
        if (kArguments[at].key == key)
            return kArguments[at].argument;
    }
    return Argument::None;
}

Category categoryOf(std::string_view category)
{
    for (const CategoryName &known : kCategories) {
        if (known.name == category)
            return known.category;
    }
    return isCall(category) ? kCall : Category{};
}

std::string asPythonWrites(std::string_view value)
{
    // Written by Python or like it, mostly; nesting beyond this is nothing that an operator takes.
    constexpr std::size_t kLongest = 8192;
    if (value.size() > kLongest || value.find("[[[[[[[[") != std::string_view::npos)
        return std::string(value);
    const auto parsed = nlohmann::ordered_json::parse(value, nullptr, false);
    if (parsed.is_discarded())
        return std::string(value);
    std::string text;
    write(parsed, text);
    return text;
}

} // namespace vramscope::chrome
