// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/oom_report.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/replayed/annotation_ranges.h"
#include "core/analysis/study/study.h"
#include "core/base/json_text.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/oom_remedies.h"
#include "core/table/text_table.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kTextWidth = 98;

std::string eventText(EventIndex event)
{
    return formatCount(event);
}

/// Sentences about one failure.
class OomNarrative
{
public:
    OomNarrative(const Study &study, const OutOfMemoryReport &failure, ByteUnit unit)
        : m_study(study)
        , m_failure(failure)
        , m_unit(unit)
        , m_origins(study.trace())
    {
    }

    std::string paragraph()
    {
        std::string text = request() + ' ' + device();
        if (m_failure.lastRelease.bytes > 0)
            text += ' ' + release();
        return text + ' ' + held() + ' ' + verdict();
    }

    std::string place(StackId stack, std::size_t width = kStackWidth)
    {
        return stackCell(m_study.trace(), stack, m_origins, width);
    }
    std::vector<GroupRow> places(std::span<const LiveGroup> groups)
    {
        return placeRows(m_study.trace(), m_origins, groups);
    }
    [[nodiscard]] std::string size(Bytes bytes) const { return formatBytes(bytes, m_unit); }

private:
    std::string request()
    {
        std::string text = "At event " + eventText(m_failure.event) + " the program asked for " +
                           size(m_failure.requested);
        if (m_failure.stack != StackId::None)
            text += " in " + stackProse(m_study.trace(), m_failure.stack, m_origins);
        const std::string running = openRanges();
        if (!running.empty())
            text += ", during " + running;
        return text + '.';
    }

    // The innermost ranges that were open, the innermost first.
    std::string openRanges()
    {
        constexpr std::size_t kShown = 3;
        const auto &ranges = m_study.annotations();
        std::string text;
        std::size_t shown = 0;
        for (auto range = ranges.rbegin(); range != ranges.rend() && shown < kShown; ++range) {
            if (range->first > m_failure.event || range->last <= m_failure.event)
                continue;
            text += (shown++ == 0 ? "" : " in ") + std::string(m_study.trace().text(range->name));
        }
        return text;
    }

    std::string device() const
    {
        if (m_failure.deviceFree < 0)
            return "The file does not say what the device had left.";
        std::string text = "The device had " + size(m_failure.deviceFree) + " left";
        if (m_failure.needed != m_failure.requested)
            text += ", and " + size(m_failure.needed) + " had to be mapped in whole pieces";
        if (m_failure.shortage > 0)
            return text + ": " + size(m_failure.shortage) + " too little.";
        return text + ", which was enough.";
    }

    std::string release() const
    {
        const Release &release = m_failure.lastRelease;
        const std::string range =
            release.first == release.last
                ? "event " + eventText(release.first)
                : "events " + eventText(release.first) + " to " + eventText(release.last);
        const bool justBefore = release.last == m_failure.event - 1;
        return justBefore
                   ? "Before giving up, the allocator had returned all unused segments to the "
                     "device: " +
                         size(release.bytes) + " (" + range + ")."
                   : "The cache was already empty: an earlier retry had returned " +
                         size(release.bytes) + " (" + range + ").";
    }

    std::string held() const
    {
        const Bands &bands = m_failure.bands;
        std::string text = "The allocator held " + size(bands.reserved()) + ": " +
                           size(bands.requested + bands.rounding) + " in use by " +
                           counted(m_failure.liveBlocks, "block");
        if (bands.pendingFree > 0)
            text += ", " + size(bands.pendingFree) + " freed but waiting for another stream";
        const Fragmentation &free = m_failure.fragmentation;
        if (free.stranded + free.releasable == 0)
            return text + ", and nothing was free.";
        text += ", and " + size(free.stranded + free.releasable) + " free in " +
                counted(free.holes, "hole");
        if (free.holes > 1)
            text += ", the largest of them " + size(free.largestHole);
        if (m_failure.freeForIt != free.stranded + free.releasable)
            text += "; of these " + size(m_failure.freeForIt) +
                    " belong to the pool and stream of the request" +
                    (m_failure.freeForIt > 0
                         ? ", " + size(m_failure.largestForIt) + " at most in one piece"
                         : std::string());
        text += ".";
        if (const Bytes pools = freeInPrivatePools(m_failure); pools > 0)
            text += " " + size(pools) +
                    " of the free memory lie in private pools, such as those of CUDA graphs, which "
                    "no other request may use.";
        if (free.stranded > 0)
            text += " " + size(free.stranded) +
                    " could not go back to the device, because blocks in the same segments or "
                    "pages were in use.";
        return text;
    }

    std::string verdict() const
    {
        switch (m_failure.cause) {
        case OutOfMemoryCause::Limit:
            return "So it was a limit, not the device: a memory fraction "
                   "(set_per_process_memory_fraction), or a driver call that failed for another "
                   "reason.";
        case OutOfMemoryCause::Elsewhere:
            return "Enough is free, but for other pools, streams or sizes, which share nothing "
                   "with that of the request.";
        case OutOfMemoryCause::Fragmented:
            return "What is free for it and on the device would have been enough, but not in one "
                   "piece: the memory is fragmented.";
        case OutOfMemoryCause::Full:
            if (m_failure.freeForIt + m_failure.deviceFree >= m_failure.requested)
                return "All of it in one piece would have served this request, but an evaluation "
                       "keeps its graph and goes on filling the device.";
            return "Even all of it in one piece would not have been enough: the device is full.";
        case OutOfMemoryCause::Unknown:
            break;
        }
        return "The recording does not say whether the device was full or its memory fragmented.";
    }

    const Study &m_study;
    const OutOfMemoryReport &m_failure;
    ByteUnit m_unit;
    FrameOrigins m_origins;
};

std::string indented(const std::string &text, std::size_t by, std::size_t width)
{
    const std::string margin(by, ' ');
    std::string lines = margin;
    for (const char byte : wrapped(text, width - by))
        lines += byte == '\n' ? '\n' + margin : std::string(1, byte);
    return lines + '\n';
}

// What each gives, for what that is enough and what it is; why below it.
void addRemedies(std::string &text, const OutOfMemoryReport &failure,
                 const OutOfMemoryAdvice &advice, ByteUnit unit)
{
    const std::vector<RemedyText> remedies = remedyTexts(failure, advice, unit);
    if (remedies.empty())
        return;
    TextTable table({Align::Right, Align::Left, Align::Left});
    for (const RemedyText &remedy : remedies)
        table.addRow({remedy.gives, remedy.verdict, remedy.title});
    text += "\nWhat would help, by what filled the memory\n";
    const std::vector<std::string> rows = table.lines();
    for (std::size_t row = 0; row < rows.size(); ++row)
        text += rows[row] + indented(remedies[row].text, 6, kTextWidth);
}

void addLive(std::string &text, const OutOfMemoryReport &failure, OomNarrative &narrative,
             std::size_t most, ByteUnit unit)
{
    if (failure.live.empty())
        return;
    const GroupLook look{.whole = totalBytes(failure.live), .most = most, .unit = unit};
    text += "\nWhat filled it\n" + terminalText(groupTable(narrative.places(failure.live), look));
}

void addPins(std::string &text, const OutOfMemoryReport &failure, OomNarrative &narrative,
             std::size_t most)
{
    const std::vector<Pin> &pins = failure.fragmentation.pins;
    if (pins.empty())
        return;
    text += "\nWhat keeps the stranded " + narrative.size(failure.fragmentation.stranded) +
            " from going back\n";
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Left});
    table.addRow({"alone", "with others", "blocks", "allocated in"});
    const std::size_t shown = most == 0 ? pins.size() : std::min(pins.size(), most);
    for (const Pin &pin : std::span(pins).first(shown))
        table.addRow({narrative.size(pin.alone), narrative.size(pin.shared),
                      formatCount(pin.blocks), narrative.place(pin.stack, 60)});
    if (shown < pins.size())
        table.addRow({"", "", "", othersText(static_cast<std::int64_t>(pins.size() - shown))});
    text += table.text();
}

void addDomains(std::string &text, const Study &study, const OutOfMemoryReport &failure,
                OomNarrative &narrative)
{
    text += "\nWhere the reserved memory lies\n";
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right});
    table.addRow({"pool, stream", "reserved", "stranded", "holes", "largest hole"});
    for (const FreeDomain &domain : failure.fragmentation.domains) {
        const Pool &pool = study.trace().pools()[static_cast<std::size_t>(domain.pool)];
        const std::int64_t stream =
            study.trace().streams()[static_cast<std::size_t>(domain.stream)];
        std::string name = domain.large ? "large" : "small";
        if (domain.pool != PoolId::Default)
            name += " of pool (" + std::to_string(pool.first) + ", " + std::to_string(pool.second) +
                    ")";
        name += stream == 0 ? ", default stream" : ", stream " + std::to_string(stream);
        table.addRow({name, narrative.size(domain.reserved), narrative.size(domain.stranded),
                      formatCount(domain.holes), narrative.size(domain.largestHole)});
    }
    text += table.text();
}

Json bandsAndSum(const Bands &bands)
{
    Json json = bandsJson(bands);
    json["reserved"] = bands.reserved();
    return json;
}

Json domainsJson(const Trace &trace, const Fragmentation &fragmentation)
{
    return listJson(fragmentation.domains, [&](const FreeDomain &domain) -> Json {
        const Pool &pool = trace.pools()[static_cast<std::size_t>(domain.pool)];
        return {{"pool", {pool.first, pool.second}},
                {"stream", trace.streams()[static_cast<std::size_t>(domain.stream)]},
                {"size_class", domain.large ? "large" : "small"},
                {"reserved", domain.reserved},
                {"stranded", domain.stranded},
                {"releasable", domain.releasable},
                {"holes", domain.holes},
                {"largest_hole", domain.largestHole}};
    });
}

Json pinsJson(const Trace &trace, const Fragmentation &fragmentation)
{
    return listJson(fragmentation.pins, [&](const Pin &pin) -> Json {
        return {{"alone", pin.alone},
                {"with_others", pin.shared},
                {"blocks", pin.blocks},
                {"bytes", pin.size},
                {"frames", framesJson(trace, pin.stack)}};
    });
}

Json inUseJson(const LiveKind &kind)
{
    return {{"category", categoryWord(kind.category)}, {"bytes", kind.bytes}};
}

Json restOfStepJson(const OutOfMemoryReport &failure, const OutOfMemoryAdvice &advice)
{
    const RestOfStep &rest = advice.rest;
    return {{"recording_ends", rest.endsThere},
            {"more", orNull(rest.isKnown, rest.more)},
            {"as_in_step", orNull(rest.isKnown, rest.step)},
            {"asked_there", orNull(rest.isKnown, rest.askedThere)},
            {"left_after_request", orNull(failure.isLeftTold(), advice.left)},
            {"text", stepText(failure, advice, ByteUnit::Binary)}};
}

Json remediesJson(const OutOfMemoryReport &failure, const OutOfMemoryAdvice &advice)
{
    Json json = Json::array();
    const std::vector<RemedyText> texts = remedyTexts(failure, advice, ByteUnit::Binary);
    for (std::size_t at = 0; at < texts.size(); ++at) {
        const Remedy &remedy = advice.remedies[at];
        json.push_back({{"change", remedyName(remedy.kind)},
                        {"bytes", remedy.bytes},
                        {"at_most", remedy.atMost},
                        {"enough", orNull(remedy.servesRequest)},
                        {"enough_for_step", orNull(remedy.servesStep)},
                        {"title", texts[at].title},
                        {"text", texts[at].text}});
    }
    return json;
}

Json failureJson(const Study &study, const OutOfMemoryReport &failure,
                 const OutOfMemoryAdvice &advice)
{
    const Trace &trace = study.trace();
    const std::vector<std::int64_t> &times = study.device().events.time;
    const Release &release = failure.lastRelease;
    return {
        {"event", failure.event},
        {"time_us", times.empty() ? Json() : Json(times[static_cast<std::size_t>(failure.event)])},
        {"explanation", outOfMemoryParagraph(study, failure)},
        {"requested", failure.requested},
        {"needed", failure.needed},
        {"device_free", orNull(failure.deviceFree >= 0, failure.deviceFree)},
        {"shortage", failure.shortage},
        {"cause", outOfMemoryCauseName(failure.cause)},
        {"stream", trace.streams()[static_cast<std::size_t>(failure.stream)]},
        {"bands", bandsAndSum(failure.bands)},
        {"live_blocks", failure.liveBlocks},
        {"holes", failure.fragmentation.holes},
        {"largest_hole", failure.fragmentation.largestHole},
        {"free_for_it", failure.freeForIt},
        {"largest_hole_for_it", failure.largestForIt},
        {"last_release", release.bytes == 0 ? Json()
                                            : Json{{"first_event", release.first},
                                                   {"last_event", release.last},
                                                   {"bytes", release.bytes}}},
        {"frames", framesJson(trace, failure.stack)},
        {"in_use", listJson(advice.live, inUseJson)},
        {"rest_of_step", restOfStepJson(failure, advice)},
        {"remedies", remediesJson(failure, advice)},
        {"live", liveGroupsJson(trace, failure.live)},
        {"domains", domainsJson(trace, failure.fragmentation)},
        {"pins", pinsJson(trace, failure.fragmentation)}};
}

} // namespace

std::string outOfMemoryParagraph(const Study &study, const OutOfMemoryReport &failure,
                                 ByteUnit unit)
{
    return printable(OomNarrative(study, failure, unit).paragraph());
}

std::string outOfMemoryText(const Study &study, const std::string &file, std::size_t most,
                            ByteUnit unit)
{
    std::string text = printable(file) + ", device " + std::to_string(study.device().device) + ": ";
    const std::vector<OutOfMemoryReport> &failures = study.failures();
    if (failures.empty() && !study.hasHistory())
        return text + "no history was recorded, so it shows no failed allocation; see "
                      "vramscope-cli recipe oom.";
    if (failures.empty())
        return text + "no allocation failed in the " +
               counted(study.device().events.count(), "event") + " of the recording.";
    text += counted(std::ssize(study.device().outOfMemory), "allocation") + " failed in " +
            counted(study.device().events.count(), "event");
    if (study.device().outOfMemory.size() > failures.size())
        text += "; the first " + formatCount(std::ssize(failures)) + " are explained";
    text += '\n';
    for (std::size_t at = 0; at < failures.size(); ++at) {
        const OutOfMemoryReport &failure = failures[at];
        const OutOfMemoryAdvice &advice = study.advice()[at];
        OomNarrative narrative(study, failure, unit);
        text += '\n' + paragraph(outOfMemoryParagraph(study, failure, unit), kTextWidth);
        if (const std::string filled = filledText(advice, unit); !filled.empty())
            text += '\n' + paragraph("In use: " + filled + ".", kTextWidth);
        text += paragraph(stepText(failure, advice, unit), kTextWidth);
        addRemedies(text, failure, advice, unit);
        addLive(text, failure, narrative, most, unit);
        addPins(text, failure, narrative, most);
        addDomains(text, study, failure, narrative);
    }
    text.pop_back();
    return text;
}

std::string outOfMemoryJson(const Study &study, const std::string &file)
{
    Json json{{"file", file},
              {"device", study.device().device},
              {"failed", study.device().outOfMemory.size()},
              {"failures", Json::array()}};
    for (std::size_t at = 0; at < study.failures().size(); ++at)
        json["failures"].push_back(failureJson(study, study.failures()[at], study.advice()[at]));
    return jsonText(json);
}

} // namespace vramscope
