// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_records.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The summaries of a run, or of a part of it: a set of records. Joining is their union; of two
/// records of one file the one of the greater SourceStamp stays, with all that is of that stamp,
/// and of two with one key the one whose line is the greater text. That is a total order, so in
/// whatever order, how often and by way of which parts summaries are joined, the set is the same.
class RunSummary
{
public:
    void add(RunRecord record);
    void add(const SummarizedDevice &device);
    void join(const RunSummary &other);

    [[nodiscard]] bool isEmpty() const { return m_sources.empty() && m_others.empty(); }

    /// The files that there are records of, with the state of each that they are of.
    [[nodiscard]] std::vector<std::pair<std::string_view, SourceStamp>> sources() const;
    /// The state that a file was summarised in; nothing where it was not.
    [[nodiscard]] std::optional<SourceStamp> stampOf(const std::string &source) const;
    /// A copy of the records of the kinds that are wanted.
    template<class Wanted>
    [[nodiscard]] RunSummary onlyKinds(Wanted wanted) const
    {
        RunSummary result;
        for (const auto &[path, source] : m_sources) {
            for (const auto &[key, record] : source.records) {
                if (wanted(record.kind))
                    result.add(record);
            }
        }
        for (const auto &[kind, lines] : m_others) {
            if (wanted(kind))
                result.m_others.emplace(kind, lines);
        }
        return result;
    }

    /// All records in the order of the file: by kind ("part", "rank", "profile", "ooms", "steps",
    /// "sites", "calls", "active", "reserved", "stack", then those that are not known), then by
    /// source and key. They refer to this set.
    [[nodiscard]] std::vector<std::pair<std::string_view, std::vector<std::string_view>>>
    linesByKind() const;

    /// The parts that it was joined of, whole.
    [[nodiscard]] std::vector<SummaryPart> parts() const;
    /// Takes back that it was: what is left of a part that is cut off is no part.
    void dropParts() { m_others.erase("part"); }

    /// What the records say, put together. `problems` gets a sentence for each that cannot be used.
    struct Devices
    {
        std::vector<RankSummary> devices; ///< by path and device
        SiteStackTable stacks;
    };
    [[nodiscard]] Devices devices(std::vector<std::string> &problems) const;

    /// Puts what the records of a kind say of a device into its summary, which lacked them; nothing
    /// where there are none, or those of another state of its file.
    void complete(RankSummary &rank, std::string_view kind,
                  std::vector<std::string> &problems) const;

private:
    struct Source
    {
        SourceStamp stamp;
        std::map<std::string, RunRecord> records; ///< by key
    };
    static void addDevices(const std::string &path, const Source &source,
                           std::vector<RankSummary> &devices, std::vector<std::string> &problems);

    std::map<std::string, Source> m_sources;               ///< by path
    std::map<std::string, std::set<std::string>> m_others; ///< lines by kind
};

/// The union of two.
[[nodiscard]] RunSummary join(RunSummary a, const RunSummary &b);

} // namespace vramscope
