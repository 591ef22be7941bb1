// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/trace_findings.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"
#include "core/base/counted.h"
#include "core/print/cells.h"
#include "core/print/oom_report.h"
#include "core/trace/problem_text.h"

#include <algorithm>

namespace vramscope {

namespace {

// A smaller reserve at the end is normal for every allocator.
constexpr Bytes kOrdinaryReserve = 256 * kMiB;

class TraceFindings
{
public:
    TraceFindings(const Study &study, ByteUnit unit)
        : m_study(study)
        , m_unit(unit)
    {
    }

    std::vector<Finding> find()
    {
        findRehearsal();
        findFailures();
        if (m_study.isMade(Study::Part::Leaks)) {
            findLeak();
            findStranded();
            findContradictions();
        }
        findReserve();
        findBaseline();
        findOverflow();
        findProblems();
        return std::move(m_found);
    }

private:
    [[nodiscard]] std::string text(Bytes bytes) const { return formatBytes(bytes, m_unit); }
    [[nodiscard]] std::string exact(Bytes bytes) const { return formatExactBytes(bytes, m_unit); }

    void findRehearsal()
    {
        if (const auto rehearsal = rehearsalOf(m_study.trace()))
            m_found.push_back({"rehearsed", Tone::Note, "Rehearsed, not recorded",
                               rehearsalText(*rehearsal, m_unit), rehearsal->lackedBytes,
                               std::ssize(rehearsal->assumed)});
    }

    void findFailures()
    {
        const std::vector<OutOfMemoryEvent> &events = m_study.device().outOfMemory;
        if (events.empty())
            return;
        const OutOfMemoryEvent &first = events.front();
        m_found.push_back(
            {"out_of_memory", Tone::Bad,
             "Out of memory: asked for " + text(first.requested) +
                 (events.size() > 1 ? " (" + std::to_string(events.size()) + "×)" : std::string()),
             m_study.isMade(Study::Part::Failures)
                 ? outOfMemoryParagraph(m_study, m_study.failures().front(), m_unit)
                 : "At event " + formatCount(first.event) + " the allocator could not give " +
                       exact(first.requested) + ".",
             first.requested, std::ssize(events), first.event});
    }

    void findLeak()
    {
        const std::vector<Growth> &leaks = m_study.leaks().leaks;
        if (leaks.empty())
            return;
        const Growth &most = leaks.front();
        const Leaks::Unit unit = m_study.leaks().unit;
        const bool isWindow = unit == Leaks::Unit::Window;
        const Bytes bytes = isWindow ? most.grown.bytes : static_cast<Bytes>(most.bytesPerSample);
        std::string sentence = bestFrameText(m_study.trace(), most.stack) + " keeps " +
                               counted(most.grown.count, "allocation") + " (" +
                               exact(most.grown.bytes) +
                               ") that are never freed, growing to the end.";
        if (leaks.size() > 1)
            sentence += " " + counted(std::ssize(leaks) - 1, "more stack") +
                        (leaks.size() == 2 ? " grows." : " grow.");
        m_found.push_back({"leak", Tone::Bad,
                           "Leak suspected: " + text(bytes) +
                               (isWindow ? std::string() : " a " + std::string(unitName(unit))),
                           std::move(sentence), bytes, std::ssize(leaks),
                           m_study.leaks().samples.back()});
    }

    void findStranded()
    {
        const EventIndex event = m_study.space().mostStranded();
        const Bytes stranded = m_study.space().bandsAfter(event).stranded;
        if (stranded <= kOrdinaryReserve)
            return;
        m_found.push_back(
            {"stranded", Tone::Note, text(stranded) + " reserved but idle between blocks in use",
             (event < 0 ? std::string("Before the first event")
                        : "After event " + formatCount(event)) +
                 " as much as " + exact(stranded) +
                 " were free inside segments with other blocks in use: the allocator could neither "
                 "give them back nor, for larger requests, use them. Expandable segments avoid "
                 "most of it.",
             stranded, 0, event});
    }

    void findContradictions()
    {
        const Consistency &it = m_study.space().consistency();
        if (it == Consistency{})
            return;
        const auto which = [](std::int64_t count, const char *what, const char *one,
                              const char *many) {
            return counted(count, what) + (count == 1 ? one : many);
        };
        const std::int64_t otherwise = it.otherEnd + it.otherSize;
        m_found.push_back(
            {"contradictions", Tone::Note, "Not all events agree",
             "Events are missing or were filtered when this was recorded: " +
                 which(it.contradictorySegments, "segment event", " contradicts", " contradict") +
                 " the rest, " + which(it.unplaced, "allocation", " lies", " lie") +
                 " in no memory that was held, " + which(otherwise, "block", " is", " are") +
                 " otherwise at the end than the events say. The address space is right as far as "
                 "the others go.",
             0, it.contradictorySegments + it.unplaced + otherwise});
        if (it.firstUnplaced >= 0)
            m_found.back().event = it.firstUnplaced;
    }

    /// Free memory in private pools at the end, of CUDA graphs or a MemPool.
    [[nodiscard]] Bytes freeInPrivatePools() const
    {
        const DeviceTrace &device = m_study.device();
        Bytes free = 0;
        for (const FinalSegment &segment : device.segments) {
            if (segment.pool == PoolId::Default)
                continue;
            free = wrappingSum(free, segment.size);
            for (const FinalBlock &block :
                 std::span(device.blocks).subspan(segment.firstBlock, segment.blockCount))
                if (block.state != BlockState::Inactive)
                    free = wrappingDifference(free, block.size);
        }
        return free;
    }

    void findReserve()
    {
        const DeviceSummary &summary = m_study.summary();
        const Bytes idle = wrappingDifference(summary.reservedEnd, summary.activeEnd);
        if (idle <= kOrdinaryReserve)
            return;
        std::string sentence = "At the end the allocator holds " + text(summary.reservedEnd) +
                               " of the device, of which " + text(summary.activeEnd) +
                               " are in use; ";
        constexpr Bytes kPart = 10; // a smaller part of the idle memory is not worth a word
        if (const Bytes pools = freeInPrivatePools(); pools >= idle / kPart)
            sentence += text(pools) + " of the rest are free in private pools, such as those of "
                                      "CUDA graphs: no other request may use them, and "
                                      "empty_cache() does not return them while the pool lives.";
        else
            sentence += "the rest is idle: cached, or between blocks in use.";
        m_found.push_back({"idle_reserve", Tone::Note, text(idle) + " reserved but idle at the end",
                           std::move(sentence), idle});
        if (summary.events > 0)
            m_found.back().event = summary.events - 1;
    }

    void findBaseline()
    {
        const DeviceSummary &summary = m_study.summary();
        if (summary.baseline != 0 && summary.events >= 2)
            m_found.push_back(
                {"live_before", Tone::Note, text(summary.baseline) + " live before the recording",
                 "This memory was allocated before the history begins: its size is known, where it "
                 "was allocated often is not.",
                 summary.baseline, 0, -1});
    }

    void findOverflow()
    {
        const bool overflowed =
            std::ranges::any_of(m_study.trace().settings(), [](const Setting &setting) {
                return setting.name == "trace_alloc_overflowed" && setting.value == "true";
            });
        if (overflowed)
            m_found.push_back({"overflow", Tone::Note, "The oldest events are lost",
                               "More happened than the history holds (max_entries), so it begins "
                               "late. Record again with a larger max_entries to see the "
                               "beginning."});
    }

    void findProblems()
    {
        if (m_study.trace().problems().empty())
            return;
        std::int64_t count = 0;
        std::string sentence = "The file was read, with these anomalies:";
        for (const Problem &problem : m_study.trace().problems()) {
            count += problem.count;
            sentence += '\n' + problemText(problem);
        }
        m_found.push_back(
            {"problems", Tone::Note, counted(count, "anomaly"), std::move(sentence), 0, count});
    }

    const Study &m_study;
    ByteUnit m_unit;
    std::vector<Finding> m_found;
};

std::string listed(const char *what, const std::vector<std::string> &sentences)
{
    std::string text;
    for (const std::string &sentence : sentences)
        text += (text.empty() ? what : "; ") + printable(sentence);
    return text.empty() ? text : text + '.';
}

} // namespace

std::string rehearsalText(const Rehearsal &rehearsal, ByteUnit unit)
{
    std::string text = "No GPU ran this: ";
    text +=
        rehearsal.torch.empty() ? std::string("PyTorch") : "PyTorch " + printable(rehearsal.torch);
    text += " ran the program on tensors without memory";
    if (!rehearsal.gpu.empty())
        text += ", as if on " + printable(rehearsal.gpu);
    if (rehearsal.worldSize > 1)
        text +=
            ", as rank " + formatCount(rehearsal.rank) + " of " + formatCount(rehearsal.worldSize);
    text +=
        ", and a caching allocator under its default settings was asked what the program asked.";
    if (!rehearsal.ended.empty())
        text += " It ended early: " + printable(rehearsal.ended) + '.';
    if (rehearsal.lackedBytes > 0)
        text += " The GPU would have lacked " + formatBytes(rehearsal.lackedBytes, unit) +
                ", and the rehearsal went on without them.";
    text += listed(" Not in it: ", rehearsal.missing);
    text += listed(" Assumed: ", rehearsal.assumed);
    return text;
}

std::vector<Finding> findingsOf(const Study &study, ByteUnit unit)
{
    (void)study.leaks();
    return findingsSoFar(study, unit);
}

std::vector<Finding> findingsSoFar(const Study &study, ByteUnit unit)
{
    return TraceFindings(study, unit).find();
}

} // namespace vramscope
