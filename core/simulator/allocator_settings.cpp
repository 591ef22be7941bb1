// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/allocator_settings.h"

#include "core/base/format.h"
#include "core/base/nearest.h"

#include <algorithm>
#include <array>

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

namespace {

constexpr std::int64_t kMostMebibytes = std::int64_t(1) << 30;

/// Reads the options of one string into settings, one function per option. A reader returns what is
/// wrong with the value, or nothing.
class Configuration
{
public:
    using Reader = Trouble (Configuration::*)(std::string_view value);

    explicit Configuration(AllocatorSettings base)
        : m_result{base, {}}
    {
    }

    ConfiguredSettings read(std::string_view text);

private:
    struct Row
    {
        std::string_view key;
        Reader reader;
    };
    static const std::array<Row, 20> kRows;

    void apply(const AllocatorOption &option);
    void report(SettingIssue::Kind kind, std::string_view key, std::string text);
    void findContradictions();

    // A value of at least `least` MiB, in bytes.
    static Trouble readMebibytes(std::string_view value, std::int64_t least, Bytes &bytes)
    {
        const auto number = numberIn<std::int64_t>(value);
        if (!number || *number < least)
            return "must be a whole number of MiB, at least " + std::to_string(least);
        bytes = std::min(*number, kMostMebibytes) * kMiB;
        return {};
    }

    static Trouble readFlag(std::string_view value, bool &flag)
    {
        if (value != "True" && value != "False")
            return "must be True or False";
        flag = value == "True";
        return {};
    }

    Trouble readBackend(std::string_view value)
    {
        m_async = value == "cudaMallocAsync" || value == "hipMallocAsync";
        if (!m_async && value != "native")
            return "must be native or cudaMallocAsync";
        return {};
    }

    Trouble readMaxSplit(std::string_view value)
    {
        m_native = true;
        return readMebibytes(value, 20, m_result.settings.rules.maxSplit);
    }
    // Up to 10 MiB a request would not fit into its new segment.
    Trouble readLargeSegment(std::string_view value)
    {
        m_native = true;
        return readMebibytes(value, 10, m_result.settings.rules.largeSegment);
    }
    Trouble readNonSplitRounding(std::string_view value)
    {
        m_native = true;
        return readMebibytes(value, 20, m_result.settings.rules.maxNonSplitRounding);
    }

    Trouble readThreshold(std::string_view value)
    {
        m_native = true;
        const auto number = numberIn<double>(value);
        if (!number || !(*number > 0 && *number < 1))
            return "must be between 0 and 1, both excluded";
        m_result.settings.garbageCollectionThreshold = *number;
        return {};
    }

    Trouble readFraction(std::string_view value)
    {
        const auto number = numberIn<double>(value);
        if (!number || !(*number >= 0 && *number <= 1))
            return "must be from 0 to 1";
        m_result.settings.memoryFraction.reset();
        if (*number < 1)
            m_result.settings.memoryFraction = *number;
        return {};
    }

    Trouble readExpandable(std::string_view value)
    {
        m_native = true;
        return readFlag(value, m_result.settings.rules.expandable);
    }

    Trouble readRoundup(std::string_view value)
    {
        m_native = true;
        return readDivisions(value, m_result.settings.rules.roundupDivisions);
    }

    Trouble readHostFlag(std::string_view value)
    {
        bool ignored = false;
        return readFlag(value, ignored);
    }
    Trouble readHostNumber(std::string_view value)
    {
        const auto number = numberIn<std::int64_t>(value);
        return number && *number > 0 ? Trouble() : "must be a whole number above 0";
    }
    // Threads that pin host memory: 1, 2, 4 … 128.
    Trouble readHostThreads(std::string_view value)
    {
        const auto number = numberIn<std::int64_t>(value);
        return number && isPowerOfTwo(*number) && *number <= 128
                   ? Trouble()
                   : "must be a power of two up to 128";
    }

    Trouble readThrow(std::string_view value)
    {
        return readFlag(value, m_result.settings.failsBeforeDriver);
    }

    // "0.5": of the device; "40G": GiB.
    Trouble readReserve(std::string_view value)
    {
        const bool absolute = value.ends_with('G') || value.ends_with('g');
        const auto number = numberIn<double>(value.substr(0, value.size() - (absolute ? 1 : 0)));
        if (!number || !(*number > 0) || *number > 1e6)
            return "must be a share of the device such as 0.5 or a size such as 40G";
        AllocatorSettings &settings = m_result.settings;
        settings.reservedAddresses =
            absolute ? static_cast<Bytes>(*number * static_cast<double>(kGiB)) : Bytes(0);
        settings.reservedShare = absolute ? AllocatorSettings::kMostReservedShare : *number;
        return {};
    }

    Trouble readUnsimulated(std::string_view)
    {
        m_unsimulated = true;
        return {};
    }

    ConfiguredSettings m_result;
    bool m_async = false;
    bool m_native = false;      // an option was given that only the native backend uses
    bool m_unsimulated = false; // of the last option
};

constexpr std::array<Configuration::Row, 20> Configuration::kRows{{
    {"backend", &Configuration::readBackend},
    {"max_split_size_mb", &Configuration::readMaxSplit},
    {"large_segment_size_mb", &Configuration::readLargeSegment},
    {"max_non_split_rounding_mb", &Configuration::readNonSplitRounding},
    {"garbage_collection_threshold", &Configuration::readThreshold},
    {"roundup_power2_divisions", &Configuration::readRoundup},
    {"roundup_bypass_threshold_mb", &Configuration::readUnsimulated},
    {"expandable_segments", &Configuration::readExpandable},
    {"expandable_segments_reserve", &Configuration::readReserve},
    {"expandable_segments_reserve_by_class", &Configuration::readUnsimulated},
    {"per_process_memory_fraction", &Configuration::readFraction},
    {"throw_on_cudamalloc_oom", &Configuration::readThrow},
    {"graph_capture_record_stream_reuse", &Configuration::readHostFlag},
    {"release_lock_on_cudamalloc", &Configuration::readHostFlag},
    {"release_lock_on_hipmalloc", &Configuration::readHostFlag},
    {"pinned_use_cuda_host_register", &Configuration::readHostFlag},
    {"pinned_num_register_threads", &Configuration::readHostThreads},
    {"pinned_use_background_threads", &Configuration::readHostFlag},
    {"pinned_reserve_segment_size_mb", &Configuration::readHostNumber},
    {"pinned_free_catch_all", &Configuration::readHostFlag},
}};

void Configuration::report(SettingIssue::Kind kind, std::string_view key, std::string text)
{
    m_result.issues.push_back({kind, printable(key), std::move(text)});
}

void Configuration::apply(const AllocatorOption &option)
{
    const auto row = std::ranges::find(kRows, option.key, &Row::key);
    const std::string key = printable(option.key);
    if (row == kRows.end()) {
        std::array<std::string_view, kRows.size()> known{};
        std::ranges::transform(kRows, known.begin(), &Row::key);
        report(SettingIssue::Kind::Unknown, option.key,
               "'" + key + "' is no option of PyTorch's allocator" + didYouMean(option.key, known) +
                   ".");
        return;
    }
    m_unsimulated = false;
    if (const Trouble trouble = (this->*row->reader)(option.value)) {
        report(SettingIssue::Kind::BadValue, option.key,
               key + " is '" + printable(option.value) + "', but " + *trouble + ".");
    } else if (m_unsimulated) {
        report(SettingIssue::Kind::NotSimulated, option.key,
               "What " + key + " changes is not simulated.");
    }
}

void Configuration::findContradictions()
{
    const AllocatorSettings &settings = m_result.settings;
    const AllocatorRules &rules = settings.rules;
    if (m_async)
        report(SettingIssue::Kind::NotSimulated, "backend",
               m_native ? "backend:cudaMallocAsync leaves memory to the driver, which is not "
                          "simulated, and ignores the options of the native allocator."
                        : "backend:cudaMallocAsync leaves memory to the driver, which is not "
                          "simulated.");
    if (settings.garbageCollectionThreshold > 0 && !settings.memoryFraction)
        report(SettingIssue::Kind::Contradicts, "garbage_collection_threshold",
               "garbage_collection_threshold has no effect without a memory fraction "
               "(per_process_memory_fraction, or set_per_process_memory_fraction()).");
    if (rules.maxSplit != AllocatorRules::kUnlimited && rules.maxSplit < rules.largeSegment) {
        report(SettingIssue::Kind::BadValue, "max_split_size_mb",
               "max_split_size_mb is below large_segment_size_mb (" +
                   formatBytes(rules.largeSegment) + "), which PyTorch refuses.");
        m_result.settings.rules.maxSplit = AllocatorRules::kUnlimited;
    }
    if (rules.expandable && rules.maxSplit != AllocatorRules::kUnlimited)
        report(SettingIssue::Kind::Contradicts, "max_split_size_mb",
               "max_split_size_mb does not keep blocks of expandable segments whole; it only "
               "limits which of them serve a request.");
}

ConfiguredSettings Configuration::read(std::string_view text)
{
    for (const AllocatorOption &option : allocatorOptions(text))
        apply(option);
    findContradictions();
    return std::move(m_result);
}

} // namespace

Bytes AllocatorSettings::reservation(Bytes capacity, bool large) const
{
    const Bytes page = rules.pageSize(large);
    const auto share = [&](double of) {
        return static_cast<Bytes>(of * static_cast<double>(std::min(capacity, kMostCapacity)));
    };
    const Bytes most = share(kMostReservedShare);
    const Bytes wanted = reservedAddresses > 0 ? reservedAddresses : share(reservedShare);
    return (std::min(wanted, most) + page - 1) / page * page;
}

std::optional<Bytes> AllocatorSettings::limit(Bytes capacity) const
{
    if (!memoryFraction)
        return {};
    return static_cast<Bytes>(*memoryFraction *
                              static_cast<double>(std::min(capacity, kMostCapacity)));
}

ConfiguredSettings configuredSettings(std::string_view configuration, AllocatorSettings base)
{
    return Configuration(base).read(configuration);
}

} // namespace vramscope
