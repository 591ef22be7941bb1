// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace_section.h"

#include "core/analysis/findings/finding.h"
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
#include "core/print/finding_text.h"
#include "core/print/oom_remedies.h"
#include "core/print/oom_report.h"
#include "core/print/verdict.h"
#include "core/report/tables.h"
#include "core/report/trace_tables.h"
#include "core/trace/problem_text.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kMostRows = 20;

/// Whether two say the same, as they do where memory ran out at its highest.
bool sameGroups(const std::vector<LiveGroup> &one, const std::vector<LiveGroup> &other)
{
    return std::ranges::equal(one, other, [](const LiveGroup &a, const LiveGroup &b) {
        return a.stack == b.stack && a.bytes == b.bytes && a.count == b.count;
    });
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
        for (const Finding &finding : m_it.findings()) {
            // The answer says that memory ran out, and why has a place of its own further down;
            // problems stand in front of it.
            if (finding.kind == Finding::Kind::OutOfMemory ||
                finding.kind == Finding::Kind::Problems)
                continue;
            std::string explanation = findingExplanation(m_it, finding, m_unit);
            std::ranges::replace(explanation, '\n', ' ');
            addParagraph(m_report,
                         printable(findingText(m_it, finding, m_unit) + ". " + explanation),
                         finding.isBad() ? Tone::Warning : Tone::Note);
        }
    }

    void addFigures()
    {
        const DeviceSummary &it = m_it.summary();
        addTable(m_report, "The figures", summaryTable(it), m_unit);
        std::string facts = counted(it.events, "event");
        if (it.timeSpan)
            facts += " in " + formatMicroseconds(*it.timeSpan);
        facts += ", " + counted(it.segments, "segment") + ", " + counted(it.blocks, "block") +
                 ", " + counted(it.streams, "stream") + ", " + counted(it.pools, "pool") + ", " +
                 counted(it.stacks, "distinct stack");
        addParagraph(m_report,
                     (m_it.device().host ? "Memory of the host: "
                                         : "Device " + std::to_string(it.device) + ": ") +
                         facts + ". Recorded by " +
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
        if (const auto all = static_cast<std::int64_t>(m_it.device().outOfMemory.size()); all > 1)
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
        TextTable table({Align::Left, Align::Right, Align::Left, Align::Left});
        for (const RemedyText &remedy : remedyTexts(failure, advice, m_unit))
            table.addRow({remedy.title, remedy.gives, remedy.verdict, remedy.text});
        addTable(m_report, "What would help, by what filled the memory",
                 {"change", "gives", "enough for", "why"}, table);
    }

    void addGroups(const std::vector<LiveGroup> &groups)
    {
        addTable(m_report, {}, {"size", "share", "blocks", "allocated in"},
                 placesTable(m_it.trace(), m_origins, groups, m_unit));
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
        addTable(m_report, "The reserved memory at the peak", {"", "size", "share", ""},
                 bandsTable(m_it.space().bandsAfter(m_it.summary().peakActiveEvent), m_unit));
    }

    void addSteps()
    {
        TextTable table({Align::Right, Align::Right, Align::Right, Align::Right});
        for (const Step &step : m_it.steps().steps) {
            if (table.rows().size() == kMostRows)
                break;
            table.addRow({formatCount(step.number) + (step.complete ? "" : " (part)"),
                          size(step.peakActive), size(step.activeEnd),
                          formatChange(step.growth, m_unit)});
        }
        if (table.rows().empty())
            return;
        addTable(m_report, "Steps", {"step", "peak active", "at its end", "growth"}, table);
        const auto all = static_cast<std::int64_t>(m_it.steps().steps.size());
        const bool more = all > static_cast<std::int64_t>(kMostRows);
        addParagraph(m_report, (more ? "The first " + formatCount(kMostRows) + " of " +
                                           formatCount(all) + ". "
                                     : std::string()) +
                                   printable(m_it.steps().how));
    }

    void addLeaks()
    {
        TextTable table({Align::Right, Align::Right, Align::Right, Align::Left});
        for (const Growth &growth : m_it.leaks().leaks) {
            if (table.rows().size() == kMostRows)
                break;
            table.addRow({size(growth.grown.bytes), formatCount(growth.grown.count),
                          formatPercent(growth.confidence), place(growth.stack)});
        }
        addTable(m_report, "What grows and is never freed",
                 {"size", "blocks", "how sure", "allocated in"}, table);
    }

    void addSettings()
    {
        TextTable table({Align::Left, Align::Left});
        for (const Setting &setting : m_it.trace().settings())
            table.addRow({setting.name, setting.value});
        addTable(m_report, "Settings of the allocator", {"setting", "value"}, table);
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
