// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_section.h"

#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/steps/steps.h"
#include "core/base/counted.h"
#include "core/base/sentence.h"
#include "core/describe/trace_tables.h"
#include "core/print/cells.h"
#include "core/print/oom_remedies.h"
#include "core/print/oom_report.h"
#include "core/print/trace_findings.h"
#include "core/print/trace_report.h"
#include "core/print/verdict.h"
#include "core/report/tables.h"
#include "core/trace/problem_text.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kMostRows = 20;
constexpr std::size_t kLongestPlace = 160; // characters of a place in the code

/// Whether two say the same, as they do where memory ran out at its highest.
bool sameGroups(const std::vector<LiveGroup> &one, const std::vector<LiveGroup> &other)
{
    return std::ranges::equal(one, other, [](const LiveGroup &a, const LiveGroup &b) {
        return a.stack == b.stack && a.bytes == b.bytes && a.count == b.count;
    });
}

/// Name, size, share and meaning of what reserved memory consists of, which they add up to.
DataTable bandsTable(const Bands &bands)
{
    using enum DataTable::Kind;
    RowTable table("The reserved memory at the peak",
                   {{"name", ""}, {"size", "Size", Size}, {"share", "Share", Share}, {"what", ""}});
    const auto add = [&](const char *name, Bytes bytes, const char *meaning) {
        table.add({name, bytes, formatShare(bytes, bands.reserved()), meaning});
    };
    add("requested", bands.requested, "what the program asked for and holds");
    add("rounding", bands.rounding, "what its blocks have beyond that");
    add("pending free", bands.pendingFree, "freed, but waiting for another stream");
    add("stranded", bands.stranded,
        "free, but other blocks of the same segment or page are in use");
    add("releasable", bands.releasable, "free segments, and free pages of expandable ones");
    table.add({"reserved", bands.reserved(), "", ""});
    return std::move(table).table();
}

/// The section under way, with what its parts need.
class Section
{
public:
    Section(Report &report, const ReportedTrace &trace, ByteUnit unit)
        : m_report(report)
        , m_trace(trace)
        , m_it(*trace.study)
        , m_unit(unit)
        , m_origins(m_it.trace())
        , m_filledByPeak(!m_it.failures().empty() &&
                         sameGroups(m_it.failures().front().live, m_it.peak().byStack))
    {
    }

    void addAll()
    {
        addVerdict();
        if (m_it.hasHistory())
            addFigure(m_report, "active", m_trace.number,
                      "Every allocation over time, stacked in the order in which they were made");
        addFigures();
        addFailures();
        addPeak();
        if (m_it.hasHistory() && m_it.summary().isReservedKnown) {
            addBands();
            addFigure(m_report, "bands", m_trace.number,
                      "What the reserved memory consists of, over time");
        }
        addFigure(m_report, "state", m_trace.number,
                  m_it.hasHistory() ? "The address space at the peak: segments, blocks and holes"
                                    : "The address space as recorded: segments, blocks and holes");
        addSteps();
        addLeaks();
        addSettings();
    }

private:
    [[nodiscard]] std::string size(Bytes bytes) const { return formatBytes(bytes, m_unit); }
    [[nodiscard]] std::string place(StackId stack)
    {
        return stackCell(m_it.trace(), stack, m_origins, kLongestPlace);
    }

    /// The first failure as a paragraph.
    [[nodiscard]] std::string failureText() const
    {
        return outOfMemoryParagraph(m_it, m_it.failures().front(), m_unit);
    }

    void addVerdict()
    {
        const bool bad = !m_it.failures().empty();
        // The warning of the verdict stands among the findings too, but belongs to the answer.
        const TraceVerdict verdict = traceVerdict(m_it, m_unit);
        addHeading(m_report, 1, printable(m_trace.file));
        for (const Problem &each : m_it.trace().problems())
            addParagraph(m_report, problemText(each), Tone::Problem);
        addAnswer(
            m_report,
            capitalized(verdict.peak + (verdict.failures.empty() ? "" : "; " + verdict.failures)),
            bad ? Tone::Bad : Tone::Plain);
        if (!verdict.warning.empty())
            addParagraph(m_report, capitalized(verdict.warning), Tone::Warning);
        for (const Finding &finding : findingsOf(m_it, m_unit)) {
            // The answer says that memory ran out, and why has a place of its own further down;
            // problems stand in front of it.
            if (finding.kind == "out_of_memory" || finding.kind == "problems")
                continue;
            addParagraph(m_report, printable(finding.title + ". " + finding.sentence),
                         finding.isBad() ? Tone::Warning : Tone::Note);
        }
    }

    void addFigures()
    {
        const DeviceSummary &it = m_it.summary();
        addTable(m_report, "The figures", summaryTable(it), m_unit);
        addParagraph(m_report,
                     (m_it.device().host ? "Memory of the host: "
                                         : "Device " + std::to_string(it.device) + ": ") +
                         deviceFacts(it) + ". Recorded by " +
                         printable(m_it.trace().producer().empty() ? m_it.trace().format()
                                                                   : m_it.trace().producer()) +
                         ".");
    }

    void addFailures()
    {
        if (m_it.failures().empty())
            return;
        addHeading(m_report, 2, "Why memory ran out");
        const OutOfMemoryReport &first = m_it.failures().front();
        const OutOfMemoryAdvice &advice = m_it.advice().front();
        addParagraph(m_report, failureText());
        if (const auto all = std::ssize(m_it.device().outOfMemory); all > 1)
            addParagraph(m_report, "This is the first of " + counted(all, "failure") + ".");
        if (const std::string filled = filledText(advice, m_unit); !filled.empty())
            addParagraph(m_report, "In use: " + filled + ".");
        addParagraph(m_report, stepText(first, advice, m_unit));
        addRemedies(first, advice);
        if (m_filledByPeak)
            return;
        addHeading(m_report, 3, "What filled it");
        addGroups(first.live);
    }

    void addRemedies(const OutOfMemoryReport &failure, const OutOfMemoryAdvice &advice)
    {
        RowTable table("What would help, by what filled the memory",
                       {{"change", "Change"},
                        {"gives", "Gives", DataTable::Kind::Figure},
                        {"enough", "Enough for"},
                        {"why", "Why"}});
        for (const RemedyText &remedy : remedyTexts(failure, advice, m_unit))
            table.add({remedy.title, remedy.gives, remedy.verdict, remedy.text});
        addTable(m_report, std::move(table).table(), m_unit);
    }

    void addGroups(const std::vector<LiveGroup> &groups)
    {
        const GroupLook look{
            .whole = totalBytes(groups), .most = kMostRows, .unit = m_unit, .leastPart = 1000};
        addTable(m_report, {},
                 groupTable(placeRows(m_it.trace(), m_origins, groups, kLongestPlace), look),
                 m_unit);
    }

    void addPeak()
    {
        const Peak &peak = m_it.peak();
        addHeading(m_report, 2,
                   m_filledByPeak ? "Live at the peak, when memory ran out" : "Live at the peak");
        if (peak.allocations == 0)
            return addParagraph(m_report, "Nothing was allocated.");
        addGroups(peak.byStack);
        addTable(m_report, "The peak by category", peakCategoriesTable(peak), m_unit);
        addFigure(m_report, "stacks", m_trace.number,
                  "Who allocated what is live at the peak, callers above what they call");
    }

    void addBands()
    {
        const DataTable table = bandsTable(m_it.space().bandsAfter(m_it.summary().peakActiveEvent));
        addTable(m_report, table.title, table, m_unit);
    }

    void addSteps()
    {
        const std::vector<Step> &steps = m_it.steps().steps;
        if (steps.empty())
            return;
        using enum DataTable::Kind;
        RowTable table("Steps", {{"step", "Step", Figure},
                                 {"peak", "Peak active", Size},
                                 {"end", "At its end", Size},
                                 {"growth", "Growth", SizeChange}});
        for (const Step &step : std::span(steps).first(shownRows(steps.size(), kMostRows)))
            table.add({formatCount(step.number) + (step.complete ? "" : " (part)"), step.peakActive,
                       step.activeEnd, step.growth});
        addTable(m_report, std::move(table).table(), m_unit);
        const auto all = std::ssize(m_it.steps().steps);
        const bool more = all > static_cast<std::int64_t>(kMostRows);
        addParagraph(m_report, (more ? "The first " + formatCount(kMostRows) + " of " +
                                           formatCount(all) + ". "
                                     : std::string()) +
                                   printable(m_it.steps().how));
    }

    void addLeaks()
    {
        using enum DataTable::Kind;
        RowTable table("What grows and is never freed", {{"size", "Size", Size},
                                                         {"blocks", "Blocks", Count},
                                                         {"sure", "How sure", Figure},
                                                         {"site", "Allocated in"}});
        const std::vector<Growth> &leaks = m_it.leaks().leaks;
        for (const Growth &growth : std::span(leaks).first(shownRows(leaks.size(), kMostRows)))
            table.add({growth.grown.bytes, growth.grown.count, formatPercent(growth.confidence),
                       place(growth.stack)});
        addTable(m_report, std::move(table).table(), m_unit);
    }

    void addSettings()
    {
        RowTable table("Settings of the allocator", {{"setting", "Setting"}, {"value", "Value"}});
        for (const Setting &setting : m_it.trace().settings())
            table.add({setting.name, setting.value});
        addTable(m_report, std::move(table).table(), m_unit);
    }

    Report &m_report;
    const ReportedTrace &m_trace;
    const Study &m_it;
    ByteUnit m_unit;
    FrameOrigins m_origins;
    bool m_filledByPeak; ///< whether memory ran out where the peak is
};

} // namespace

void addTraceSection(Report &report, const ReportedTrace &trace, ByteUnit unit)
{
    Section(report, trace, unit).addAll();
}

} // namespace vramscope
