// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_summary.h"

#include "core/base/ordered_jobs.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, 10> kOrder{"part",  "rank",  "profile", "ooms",     "steps",
                                                  "sites", "calls", "active",  "reserved", "stack"};

std::size_t placeOfKind(std::string_view kind)
{
    return static_cast<std::size_t>(std::ranges::find(kOrder, kind) - kOrder.begin());
}

std::string problemOf(const RunRecord &record, const Error &error)
{
    return (record.source.empty() ? std::string("A record")
                                  : "The record of " + excerpt(record.source, 200)) +
           " of the kind \"" + record.kind + "\" cannot be used. " + error.text();
}

} // namespace

void RunSummary::add(RunRecord record)
{
    if (record.source.empty()) {
        m_others[record.kind].insert(std::move(record.line));
        return;
    }
    const auto [place, isNew] = m_sources.try_emplace(record.source);
    Source &source = place->second;
    if (!isNew && record.stamp < source.stamp)
        return;
    if (isNew || source.stamp < record.stamp) {
        source.stamp = record.stamp;
        source.records.clear();
    }
    const auto known = source.records.find(record.key);
    if (known == source.records.end()) {
        std::string key = record.key;
        source.records.emplace(std::move(key), std::move(record));
    } else if (known->second.line < record.line) {
        known->second = std::move(record);
    }
}

void RunSummary::add(const SummarizedDevice &device)
{
    for (RunRecord &record : recordsOf(device))
        add(std::move(record));
}

void RunSummary::join(const RunSummary &other)
{
    for (const auto &[path, source] : other.m_sources) {
        for (const auto &[key, record] : source.records)
            add(record);
    }
    for (const auto &[kind, lines] : other.m_others)
        m_others[kind].insert(lines.begin(), lines.end());
}

std::vector<std::pair<std::string_view, SourceStamp>> RunSummary::sources() const
{
    std::vector<std::pair<std::string_view, SourceStamp>> sources;
    sources.reserve(m_sources.size());
    for (const auto &[path, source] : m_sources)
        sources.emplace_back(path, source.stamp);
    return sources;
}

std::optional<SourceStamp> RunSummary::stampOf(const std::string &source) const
{
    const auto found = m_sources.find(source);
    return found == m_sources.end() ? std::nullopt : std::optional(found->second.stamp);
}

std::vector<std::pair<std::string_view, std::vector<std::string_view>>>
RunSummary::linesByKind() const
{
    std::map<std::pair<std::size_t, std::string_view>, std::vector<std::string_view>> byKind;
    for (const auto &[path, source] : m_sources) {
        for (const auto &[key, record] : source.records)
            byKind[{placeOfKind(record.kind), record.kind}].push_back(record.line);
    }
    for (const auto &[kind, lines] : m_others) {
        auto &all = byKind[{placeOfKind(kind), kind}];
        all.insert(all.end(), lines.begin(), lines.end());
    }
    std::vector<std::pair<std::string_view, std::vector<std::string_view>>> kinds;
    kinds.reserve(byKind.size());
    for (auto &[kind, lines] : byKind)
        kinds.emplace_back(kind.second, std::move(lines));
    return kinds;
}

std::vector<SummaryPart> RunSummary::parts() const
{
    std::vector<SummaryPart> parts;
    if (const auto found = m_others.find("part"); found != m_others.end()) {
        for (const std::string &line : found->second) {
            const Result<RunRecord> record = recordOf(line);
            if (const auto part = record ? partOfRecord(*record) : record.error(); part.ok())
                parts.push_back(*part);
        }
    }
    std::ranges::sort(parts);
    return parts;
}

void RunSummary::addDevices(const std::string &path, const Source &source,
                            std::vector<RankSummary> &devices, std::vector<std::string> &problems)
{
    std::map<std::int64_t, RankSummary> byDevice;
    std::set<std::pair<std::int64_t, std::string>> there;
    const auto read = [&](const RunRecord &record) {
        if (const Result<void> done = readRecord(record, byDevice[record.device]); done.ok())
            there.emplace(record.device, record.name());
        else
            problems.push_back(problemOf(record, done.error()));
    };
    // What a rank is comes first: the others follow.
    const auto isHead = [](const RunRecord &record) {
        return record.kind == "rank" || record.kind == "profile";
    };
    for (const auto &[key, record] : source.records) {
        if (isHead(record))
            read(record);
    }
    for (const auto &[key, record] : source.records) {
        if (!isHead(record))
            read(record);
    }
    for (auto &[device, rank] : byDevice) {
        if (!there.contains({device, "rank"}) && !there.contains({device, "profile"})) {
            problems.push_back("Of " + excerpt(path, 200) +
                               " there are records, but none of the kind \"rank\" or \"profile\".");
            continue;
        }
        for (const std::string &name : rank.records) {
            if (!there.contains({device, name}))
                rank.lacks.push_back(name);
        }
        devices.push_back(std::move(rank));
    }
}

RunSummary::Devices RunSummary::devices(std::vector<std::string> &problems) const
{
    Devices result;
    // Sources are read side by side, some hundred at a time, and put together in their order.
    constexpr std::size_t kTogether = 256;
    struct Stretch
    {
        std::vector<std::pair<const std::string *, const Source *>> sources;
        std::vector<RankSummary> devices;
        std::vector<std::string> problems;
    };
    std::vector<Stretch> stretches;
    for (const auto &[path, source] : m_sources) {
        if (stretches.empty() || stretches.back().sources.size() == kTogether)
            stretches.emplace_back();
        stretches.back().sources.emplace_back(&path, &source);
    }
    const auto read = [&](std::size_t at) {
        Stretch &stretch = stretches[at];
        for (const auto &[path, source] : stretch.sources)
            addDevices(*path, *source, stretch.devices, stretch.problems);
    };
    runInOrder(stretches.size(), read, [&](std::size_t at) {
        Stretch &stretch = stretches[at];
        std::ranges::move(stretch.devices, std::back_inserter(result.devices));
        std::ranges::move(stretch.problems, std::back_inserter(problems));
        stretch = {};
        return true;
    });
    if (const auto found = m_others.find("stack"); found != m_others.end()) {
        for (const std::string &line : found->second) {
            const Result<RunRecord> record = recordOf(line);
            if (!record)
                continue;
            auto stack = stackOfRecord(*record);
            if (!stack) {
                problems.push_back(problemOf(*record, stack.error()));
                continue;
            }
            if (result.stacks.contains(stack->first))
                problems.push_back("Two stacks have the same site " + stack->first.text() + ".");
            result.stacks.insert(std::move(*stack));
        }
    }
    return result;
}

void RunSummary::complete(RankSummary &rank, std::string_view kind,
                          std::vector<std::string> &problems) const
{
    const auto found = m_sources.find(rank.source.path);
    if (found == m_sources.end() || found->second.stamp != rank.source.stamp)
        return;
    for (const auto &[key, record] : found->second.records) {
        if (record.kind != kind || record.device != rank.device)
            continue;
        if (const Result<void> done = readRecord(record, rank); done.ok())
            std::erase(rank.lacks, record.name());
        else
            problems.push_back(problemOf(record, done.error()));
    }
}

RunSummary join(RunSummary a, const RunSummary &b)
{
    a.join(b);
    return a;
}

} // namespace vramscope
