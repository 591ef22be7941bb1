// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/chrome_events.h"

#include <nlohmann/json.hpp>

#include <array>

namespace vramscope::chrome {

namespace {

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

/// "cuda_driver", "hip_runtime", and those with a prefix.
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
    // Mostly written by Python or in its style; no operator takes deeper nesting.
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
