// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/option_values.h"

#include "core/base/format.h"
#include "core/simulator/allocator_settings.h"

#include <algorithm>

namespace vramscope {

namespace {

Trouble readList(std::string_view list, decltype(AllocatorRules::roundupDivisions) &divisions)
{
    std::size_t last = 0;
    bool first = true;
    for (const AllocatorOption &part : allocatorOptions(list)) {
        const auto number = numberIn<std::int64_t>(part.value);
        if (!number || (*number != 0 && !isPowerOfTwo(*number)) ||
            *number > AllocatorRules::kMostDivisions)
            return "holds '" + printable(part.value) + "', which is neither 0 nor a power of two";
        if (part.key == ">") {
            std::fill(divisions.begin() + static_cast<std::ptrdiff_t>(last) + 1, divisions.end(),
                      *number);
            continue;
        }
        const auto bound = numberIn<std::int64_t>(part.key);
        if (!bound || !isPowerOfTwo(*bound))
            return "holds the bound '" + printable(part.key) + "', which is no power of two";
        last = AllocatorRules::bucketOf(*bound);
        if (first)
            std::fill_n(divisions.begin(), last, *number);
        first = false;
        divisions[last] = *number;
    }
    return {};
}

} // namespace

Trouble readDivisions(std::string_view value, decltype(AllocatorRules::roundupDivisions) &divisions)
{
    auto read = divisions;
    if (value.starts_with('[')) {
        const std::string_view list =
            value.ends_with(']') ? value.substr(1, value.size() - 2) : std::string_view();
        if (list.empty())
            return "must be a power of two or a list such as [256:1,512:2,>:8]";
        if (Trouble trouble = readList(list, read))
            return trouble;
    } else {
        const auto number = numberIn<std::int64_t>(value);
        if (!number || !isPowerOfTwo(*number) || *number > AllocatorRules::kMostDivisions)
            return "must be a power of two";
        read.fill(*number);
    }
    divisions = read;
    return {};
}

std::vector<SettingIssue> tooNewFor(int minor, std::string_view configuration)
{
    struct Since
    {
        std::string_view key;
        int minor;
    };
    static constexpr Since kSince[] = {
        {"expandable_segments", 1},
        {"max_non_split_rounding_mb", 6},
        {"per_process_memory_fraction", 10},
        {"large_segment_size_mb", 11},
        {"throw_on_cudamalloc_oom", 12},
        {"expandable_segments_reserve", 14},
        {"expandable_segments_reserve_by_class", 14},
    };
    std::vector<SettingIssue> issues;
    for (const AllocatorOption &option : allocatorOptions(configuration)) {
        const auto *const since = std::ranges::find(kSince, option.key, &Since::key);
        if (since != std::end(kSince) && since->minor > minor)
            issues.push_back({SettingIssue::Kind::TooNew, std::string(since->key),
                              std::string(since->key) + " needs PyTorch 2." +
                                  std::to_string(since->minor) +
                                  " or later, and the recording is of an earlier one."});
    }
    return issues;
}

} // namespace vramscope
