// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi.h"

#include "core/base/bytes.h"
#include "core/base/pattern.h"
#include "core/base/text.h"
#include "core/readers/log_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace vramscope::smi {

namespace {

enum class Content { Nothing, Time, Uuid, Bus, Hexadecimal, Memory, WithUnit, Index, Number, Text };
constexpr std::size_t kContentCount = 10;

/// Recognizes a cell by its form.
std::optional<Content> formOf(const std::string &cell)
{
    static const std::pair<Pattern, Content> kForms[] = {
        // "GPU-…", "MIG-…" or the bare number after it
        {Pattern::of("^(GPU-|MIG-|[0-9A-Fa-f]{8}-.{4}-.{4}-.{4}-[0-9A-Fa-f]{12}$)").value(),
         Content::Uuid},
        // "00000000:3B:00.0", also without its first part
        {Pattern::of("^([0-9A-Fa-f]+:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-9]$").value(),
         Content::Bus},
        {Pattern::of("^0[xX][0-9A-Fa-f]+$").value(), Content::Hexadecimal}};
    for (const auto &[pattern, content] : kForms) {
        if (pattern.isIn(cell))
            return content;
    }
    return {};
}

Content contentOf(const std::string &cell)
{
    if (isNotReported(cell))
        return Content::Nothing;
    if (const auto form = formOf(cell))
        return *form;
    const auto time = parseLogTime(cell);
    const auto quantity = quantityOf(cell);
    if (!quantity)
        return time ? Content::Time : Content::Text;
    if (!quantity->unit.empty())
        return bytesOfUnit(quantity->unit) > 0 ? Content::Memory
               : time                          ? Content::Time
               : quantity->unit.size() <= 4    ? Content::WithUnit
                                               : Content::Text;
    if (time && time->clock == Clock::Epoch)
        return Content::Time;
    const bool isShort = cell.size() <= 2 && std::ranges::all_of(cell, isDigit);
    return isShort ? Content::Index : Content::Number;
}

/// A column that may be memory, and its numbers.
struct Candidate
{
    std::size_t column = 0;
    std::vector<double> values; // one per line, NaN without a number
    double most = std::numeric_limits<double>::lowest();

    [[nodiscard]] std::size_t distinct() const
    {
        std::set<double> seen;
        std::ranges::copy_if(values, std::inserter(seen, seen.end()),
                             [](double value) { return !std::isnan(value); });
        return seen.size();
    }
};

/// The content of one column's cells.
struct ColumnContent
{
    std::array<std::size_t, kContentCount> counts{};
    Candidate range;
    std::string unit;

    [[nodiscard]] bool has(Content content) const
    {
        return counts[static_cast<std::size_t>(content)] > 0;
    }
};

ColumnContent contentOf(const std::vector<std::vector<std::string>> &lines, std::size_t column,
                        std::size_t width)
{
    ColumnContent content;
    content.range.column = column;
    for (const auto &line : lines) {
        if (line.size() != width)
            continue;
        ++content.counts[static_cast<std::size_t>(contentOf(line[column]))];
        content.range.values.push_back(std::numeric_limits<double>::quiet_NaN());
        if (const auto quantity = quantityOf(line[column])) {
            content.range.values.back() = quantity->value();
            content.range.most = std::max(content.range.most, quantity->value());
            content.unit = quantity->unit;
        }
    }
    return content;
}

/// Whether a column of small numbers tells devices apart: its values repeat in ascending order.
/// Rows of one round share their time, or else several rounds must be seen, as an idle device's
/// utilization may well read 0, 1; more if the numbers are not 0 … n - 1, as with nvidia-smi -i. A
/// single number does not tell devices apart.
bool countsDevices(const std::vector<std::vector<std::string>> &lines, std::size_t column,
                   std::optional<std::size_t> time, std::size_t width)
{
    std::vector<const std::vector<std::string> *> rows;
    std::set<int> numbers;
    for (const auto &line : lines) {
        if (line.size() != width || line[column].empty() ||
            !std::ranges::all_of(line[column], isDigit) || line[column].size() > 2)
            continue;
        rows.push_back(&line);
        numbers.insert(std::stoi(line[column]));
    }
    const std::size_t devices = numbers.size();
    if (devices < 2 || rows.size() < devices)
        return false;
    std::size_t inOrder = 0;
    bool shareTime = time.has_value();
    for (std::size_t at = 1; at < rows.size(); ++at) {
        const auto next = numbers.upper_bound(std::stoi((*rows[at - 1])[column]));
        const int now = std::stoi((*rows[at])[column]);
        inOrder += now == (next == numbers.end() ? *numbers.begin() : *next) ? 1U : 0U;
        if (next != numbers.end() && now == *next && time)
            shareTime = shareTime && (*rows[at - 1])[*time] == (*rows[at])[*time];
    }
    const bool mostlyInOrder = inOrder * 10 >= (rows.size() - 1) * 9; // a line may be missing
    const bool fromZero =
        *numbers.begin() == 0 && *numbers.rbegin() == static_cast<int>(devices) - 1;
    const std::size_t rounds = rows.size() / devices;
    return mostlyInOrder && (fromZero ? shareTime || rounds >= 3 : rounds >= (shareTime ? 2U : 4U));
}

/// Findings to the left of a column.
struct Inferred
{
    bool time = false;
    bool index = false;
    bool number = false;
    int utilizations = 0;
};

/// A column other than memory.
Column inferColumn(const ColumnContent &content, std::size_t at, bool isIndex, Inferred &inferred)
{
    const std::string number = "column " + std::to_string(at + 1);
    if (content.has(Content::Time))
        return std::exchange(inferred.time, true) ? Column{} : Column{Kind::Time, "timestamp", {}};
    if (content.has(Content::Uuid))
        return {Kind::Uuid, "uuid", {}};
    if (content.has(Content::Bus))
        return {Kind::Bus, "pci.bus.id", {}};
    if (content.has(Content::Hexadecimal))
        return {};
    if (content.has(Content::Text))
        return {Kind::Name, "name", {}};
    if (content.has(Content::WithUnit)) {
        inferred.number = true;
        if (content.unit != "%" || ++inferred.utilizations > 2)
            return {Kind::Number, number, content.unit};
        return {Kind::Number, inferred.utilizations == 1 ? "utilization.gpu" : "utilization.memory",
                "%"};
    }
    if (isIndex && !content.has(Content::Number) && !inferred.number &&
        !std::exchange(inferred.index, true))
        return {Kind::Index, "index", {}};
    inferred.number = true;
    return content.has(Content::Index) || content.has(Content::Number)
               ? Column{Kind::Number, number, {}}
               : Column{};
}

/// Whether a column of memory is the total of the devices: never below the others, and the same in
/// every row, or with at most as many sizes as there may be devices while the others change.
bool isTotal(const Candidate &total, const std::vector<Candidate> &memory)
{
    constexpr std::size_t kMostSizes = 16;
    const std::size_t sizes = total.distinct();
    return std::ranges::all_of(memory, [&](const Candidate &other) {
        if (other.column == total.column)
            return true;
        for (std::size_t at = 0; at < total.values.size(); ++at) {
            if (other.values[at] > total.values[at])
                return false;
        }
        return sizes <= 1 || (sizes <= kMostSizes && other.distinct() > 4 * sizes);
    });
}

/// Names columns of memory: next to the total, the first of two is memory in use, in the usual
/// order of queries.
void nameMemory(std::vector<Column> &columns, std::vector<Candidate> memory)
{
    const auto total =
        std::ranges::find_if(memory, [&](const Candidate &one) { return isTotal(one, memory); });
    if (memory.size() > 1 && total != memory.end()) {
        columns[total->column] = {Kind::Total, "memory.total", {}};
        memory.erase(total);
    }
    if (!memory.empty())
        columns[memory[0].column] = {Kind::Used, "memory.used", {}};
    if (memory.size() == 2)
        columns[memory[1].column] = {Kind::Free, "memory.free", {}};
}

constexpr std::size_t kMostDevices = 64;     // of one machine
constexpr std::int64_t kAsked = 100'000'000; // nanoseconds for one device to answer

/// The longest time between rows of one round if rows have times of their own: much shorter than
/// the pause after it. 0 if times do not form two such groups.
std::int64_t gapOf(std::span<const std::int64_t> times)
{
    constexpr std::int64_t kLeastPause = 5; // times the gap
    std::vector<std::int64_t> gaps;
    for (std::size_t at = 1; at < times.size(); ++at)
        gaps.push_back(wrappingDifference(times[at], times[at - 1]));
    std::ranges::sort(gaps);
    if (gaps.empty() || gaps.front() < 0)
        return 0;
    for (std::size_t at = gaps.size() - 1; at > 0; --at) {
        if (gaps[at - 1] < kAsked && gaps[at] / kLeastPause > gaps[at - 1])
            return gaps[at - 1];
    }
    return 0;
}

/// Rounds whose rows follow each other within `gap`.
Rounds roundsWithin(std::span<const std::int64_t> times, std::int64_t gap)
{
    std::vector<std::size_t> sizes;
    for (std::size_t at = 0; at < times.size(); ++at) {
        const std::int64_t passed = at == 0 ? -1 : wrappingDifference(times[at], times[at - 1]);
        if (passed < 0 || passed > gap)
            sizes.push_back(0);
        ++sizes.back();
    }
    constexpr std::size_t kLeastRounds = 3;
    constexpr std::size_t kEnoughRounds = 5; // to find the usual size
    if (sizes.size() < kLeastRounds)
        return {};
    const bool regular = std::all_of(sizes.begin(), sizes.end() - 1,
                                     [&](std::size_t size) { return size == sizes[0]; });
    if (regular && sizes[0] >= 2 && sizes[0] <= kMostDevices && sizes.back() <= sizes[0])
        return {sizes[0], gap, false};
    std::map<std::size_t, std::size_t> counts;
    for (const std::size_t size : sizes)
        ++counts[size];
    const auto usual =
        std::ranges::max_element(counts, {}, [](const auto &entry) { return entry.second; });
    const bool unequal = sizes.size() >= kEnoughRounds && usual->first >= 2 &&
                         usual->first <= kMostDevices && usual->second * 5 >= sizes.size() * 3;
    return {0, gap, unequal};
}

} // namespace

std::vector<Column> inferColumns(const std::vector<std::vector<std::string>> &lines)
{
    std::vector<Column> columns(lines.empty() ? 0 : lines.front().size());
    std::vector<Candidate> memory;  // by their unit
    std::vector<Candidate> numbers; // without a unit
    std::vector<ColumnContent> contents;
    std::optional<std::size_t> time;
    for (std::size_t at = 0; at < columns.size(); ++at) {
        contents.push_back(contentOf(lines, at, columns.size()));
        if (!time && contents.back().has(Content::Time))
            time = at;
    }
    Inferred inferred;
    for (std::size_t at = 0; at < columns.size(); ++at) {
        const ColumnContent &content = contents[at];
        if (content.has(Content::Memory))
            memory.push_back(content.range);
        else if (content.has(Content::Number) && !content.has(Content::Text) &&
                 !content.has(Content::Time) && !content.has(Content::Hexadecimal))
            numbers.push_back(content.range);
        const bool isIndex =
            content.has(Content::Index) && countsDevices(lines, at, time, columns.size());
        columns[at] = inferColumn(content, at, isIndex, inferred);
    }
    // Without units, memory is the large column: in MiB it has more digits than any percentage.
    if (memory.empty())
        std::ranges::copy_if(numbers, std::back_inserter(memory),
                             [](const Candidate &one) { return one.most > 100; });
    if (!memory.empty())
        nameMemory(columns, std::move(memory));
    return columns;
}

Rounds roundsOf(std::span<const std::int64_t> times)
{
    const Rounds same = roundsWithin(times, 0);
    if (same.size > 0 || same.unequal)
        return same;
    const std::int64_t gap = gapOf(times);
    return gap > 0 ? roundsWithin(times, gap) : same;
}

} // namespace vramscope::smi
