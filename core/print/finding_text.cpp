// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/finding_text.h"

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

namespace vramscope {

namespace {

std::string failureExplanation(const Study &study, const Finding &finding, ByteUnit unit)
{
    if (study.isMade(Study::Part::Failures))
        return outOfMemoryParagraph(study, study.failures().front(), unit);
    return "At event " + formatCount(*finding.event) + " the allocator could not give " +
           formatExactBytes(finding.bytes, unit) + ".";
}

std::string leakExplanation(const Study &study, ByteUnit unit)
{
    const std::vector<Growth> &leaks = study.leaks().leaks;
    const Growth &most = leaks.front();
    std::string text = bestFrameText(study.trace(), most.stack) + " keeps " +
                       counted(most.grown.count, "allocation") + " (" +
                       formatExactBytes(most.grown.bytes, unit) +
                       ") that are never freed, growing to the end.";
    if (leaks.size() > 1)
        text += " " + counted(std::ssize(leaks) - 1, "more stack") +
                (leaks.size() == 2 ? " grows." : " grow.");
    return text;
}

std::string strandedExplanation(const Finding &finding, ByteUnit unit)
{
    const EventIndex event = finding.event.value_or(-1);
    return (event < 0 ? std::string("Before the first event")
                      : "After event " + formatCount(event)) +
           " as much as " + formatExactBytes(finding.bytes, unit) +
           " were free inside segments with other blocks in use: the allocator could neither "
           "give them back nor, for larger requests, use them. Expandable segments avoid most of "
           "it.";
}

std::string contradictionsExplanation(const Consistency &consistency)
{
    const auto which = [](std::int64_t count, const char *what, const char *one, const char *many) {
        return counted(count, what) + (count == 1 ? one : many);
    };
    return "Events are missing or were filtered when this was recorded: " +
           which(consistency.contradictorySegments, "segment event", " contradicts",
                 " contradict") +
           " the rest, " + which(consistency.unplaced, "allocation", " lies", " lie") +
           " in no memory that was held, " +
           which(consistency.otherEnd + consistency.otherSize, "block", " is", " are") +
           " otherwise at the end than the events say. The address space is right as far as the "
           "others go.";
}

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

std::string findingText(const Study &study, const Finding &finding, ByteUnit unit)
{
    const std::string size = formatBytes(finding.bytes, unit);
    switch (finding.kind) {
    case Finding::Kind::Rehearsed:
        return "Rehearsed, not recorded";
    case Finding::Kind::OutOfMemory:
        return "Out of memory: asked for " + size +
               (finding.count > 1 ? " (" + std::to_string(finding.count) + "×)" : std::string());
    case Finding::Kind::Leak:
        return "Leak suspected: " + size + (study.leaks().bySteps ? " a step" : "");
    case Finding::Kind::Stranded:
        return size + " reserved but idle between blocks in use";
    case Finding::Kind::Contradictions:
        return "Not all events agree";
    case Finding::Kind::IdleReserve:
        return size + " reserved but idle at the end";
    case Finding::Kind::LiveBefore:
        return size + " live before the recording";
    case Finding::Kind::Overflow:
        return "The oldest events are lost";
    case Finding::Kind::Problems:
        break;
    }
    return counted(finding.count, "anomaly");
}

std::string findingExplanation(const Study &study, const Finding &finding, ByteUnit unit)
{
    switch (finding.kind) {
    case Finding::Kind::Rehearsed:
        return rehearsalText(rehearsalOf(study.trace()).value_or(Rehearsal{}), unit);
    case Finding::Kind::OutOfMemory:
        return failureExplanation(study, finding, unit);
    case Finding::Kind::Leak:
        return leakExplanation(study, unit);
    case Finding::Kind::Stranded:
        return strandedExplanation(finding, unit);
    case Finding::Kind::Contradictions:
        return contradictionsExplanation(study.space().consistency());
    case Finding::Kind::IdleReserve:
        return "At the end the allocator holds " + formatBytes(study.summary().reservedEnd, unit) +
               " of the device, of which " + formatBytes(study.summary().activeEnd, unit) +
               " are in use; the rest is idle: cached, or between blocks in use.";
    case Finding::Kind::LiveBefore:
        return "This memory was allocated before the history begins: its size is known, where it "
               "was allocated often is not.";
    case Finding::Kind::Overflow:
        return "More happened than the history holds (max_entries), so it begins late. Record "
               "again with a larger max_entries to see the beginning.";
    case Finding::Kind::Problems:
        break;
    }
    std::string text = "The file was read, with these anomalies:";
    for (const Problem &problem : study.trace().problems())
        text += '\n' + problemText(problem);
    return text;
}

} // namespace vramscope
