// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/recording_data.h"

#include "core/analysis/categories/categories.h"
#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/base/category.h"
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/page/packed_columns.h"
#include "core/print/cells.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace vramscope {

namespace {

using Coding = PackedColumns::Coding;
using Column = std::vector<std::int64_t>;

constexpr std::size_t kLongestPlace = 160; // characters of a place in the code

/// The allocations that use most bytes, at most `most`, in order of birth.
std::vector<AllocationIndex> largestOf(const Allocations &allocations, std::size_t most)
{
    std::vector<AllocationIndex> chosen(allocations.count());
    std::iota(chosen.begin(), chosen.end(), AllocationIndex(0));
    if (chosen.size() <= most)
        return chosen;
    const auto end = chosen.begin() + static_cast<std::ptrdiff_t>(most);
    std::ranges::nth_element(chosen, end, [&](AllocationIndex one, AllocationIndex other) {
        return std::pair(-allocations.size[one], one) < std::pair(-allocations.size[other], other);
    });
    // All allocations of one size or none: of equal steps, the page must not show some with an
    // allocation and others without.
    const Bytes least = allocations.size[*end];
    chosen.erase(end, chosen.end());
    const auto isLarger = [&](AllocationIndex at) { return allocations.size[at] > least; };
    if (std::ranges::any_of(chosen, isLarger))
        std::erase_if(chosen, [&](AllocationIndex at) { return !isLarger(at); });
    std::ranges::sort(chosen);
    return chosen;
}

/// The place of an event in lists that begin with the state before the first, -1.
std::size_t placeOf(EventIndex event)
{
    return static_cast<std::size_t>(event) + 1;
}

/// The events at which something that the page draws changes, with their places in this list: a
/// page needs no others. The first is -1, the state before the recording; the last its end.
class Moments
{
public:
    explicit Moments(EventIndex events)
        : m_places(static_cast<std::size_t>(events) + 2)
    {
        add(-1);
        add(events);
    }

    void add(EventIndex event) { m_places[placeOf(event)] = 1; }

    /// After the last add().
    void number()
    {
        for (std::size_t at = 0; at < m_places.size(); ++at) {
            if (std::exchange(m_places[at], std::ssize(m_events)) != 0)
                m_events.push_back(static_cast<EventIndex>(at) - 1);
        }
    }
    [[nodiscard]] std::int64_t of(EventIndex event) const { return m_places[placeOf(event)]; }
    [[nodiscard]] const std::vector<EventIndex> &events() const { return m_events; }

private:
    std::vector<std::int64_t> m_places; ///< by event + 1
    std::vector<EventIndex> m_events;
};

/// Distinct texts by their place.
class Texts
{
public:
    std::int64_t place(const std::string &text)
    {
        const auto [found, isNew] = m_places.try_emplace(text, std::ssize(m_texts));
        if (isNew)
            m_texts.push_back(text);
        return found->second;
    }
    [[nodiscard]] const std::vector<std::string> &all() const { return m_texts; }

private:
    std::unordered_map<std::string, std::int64_t> m_places;
    std::vector<std::string> m_texts;
};

/// Stacks as one tree from the outermost frame, so that callers are written once, and the places
/// that allocate: a stack with its site in words.
class Places
{
public:
    explicit Places(const Trace &trace)
        : m_trace(trace)
        , m_origins(trace)
    {
    }

    /// The place of memory that `stack` allocated, or `freedIn` freed if it is older than the
    /// recording.
    std::int64_t of(StackId stack, StackId freedIn)
    {
        const auto [found, isNew] =
            m_places.try_emplace({stack, freedIn}, std::ssize(m_nodeOfPlace));
        if (isNew) {
            const bool freed = freedIn != StackId::None;
            const std::string site =
                stackCell(m_trace, freed ? freedIn : stack, m_origins, kLongestPlace);
            m_siteOfPlace.push_back(m_texts.place(freed ? freedText(site) : site));
            m_nodeOfPlace.push_back(nodeOf(freed ? freedIn : stack));
        }
        return found->second;
    }

    void addTo(PackedColumns &columns) const
    {
        columns.add("place_node", Coding::Plain, m_nodeOfPlace);
        columns.add("place_site", Coding::Plain, m_siteOfPlace);
        columns.add("node_caller", Coding::Plain, m_callers);
        columns.add("node_frame", Coding::Plain, m_frameOfNode);
        columns.add("frame", Coding::Plain, m_textOfFrame);
        columns.addTexts("texts", m_texts.all());
    }

private:
    /// 1 + its innermost frame in the tree; 0 of no frames.
    std::int64_t nodeOf(StackId stack)
    {
        const std::span<const FrameId> frames = m_trace.stack(stack);
        std::int64_t node = 0;
        for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
            const auto [found, isNew] =
                m_nodes.try_emplace({node, *frame}, std::ssize(m_callers) + 1);
            if (isNew) {
                m_callers.push_back(node);
                m_frameOfNode.push_back(frameOf(*frame));
            }
            node = found->second;
        }
        return node;
    }

    /// "name  file:line"; of an unknown file, "??", only the name.
    [[nodiscard]] std::string shownFrame(const Frame &frame) const
    {
        std::string text = printable(shownName(m_trace.text(frame.name)));
        const std::string file = printable(shownFile(m_trace.text(frame.file)));
        if (file.find_first_not_of('?') != std::string::npos)
            text += "  " + file + (frame.line > 0 ? ":" + std::to_string(frame.line) : "");
        return text;
    }

    std::int64_t frameOf(FrameId frame)
    {
        const auto [found, isNew] = m_frames.try_emplace(frame, std::ssize(m_textOfFrame));
        if (isNew)
            m_textOfFrame.push_back(m_texts.place(shownFrame(m_trace.frame(frame))));
        return found->second;
    }

    const Trace &m_trace;
    FrameOrigins m_origins;
    Texts m_texts;
    std::map<std::pair<StackId, StackId>, std::int64_t> m_places;
    Column m_nodeOfPlace;
    Column m_siteOfPlace;
    std::map<std::pair<std::int64_t, FrameId>, std::int64_t> m_nodes;
    Column m_callers;
    Column m_frameOfNode;
    std::map<FrameId, std::int64_t> m_frames;
    Column m_textOfFrame;
};

class RecordingWriter
{
public:
    RecordingWriter(const Study &study, const RecordingDataOptions &options)
        : m_study(study)
        , m_options(options)
        , m_allocations(study.allocations())
        , m_events(study.device().events.count())
        , m_kept(largestOf(m_allocations, options.largest))
        , m_moments(m_events)
    {
        for (const AllocationIndex at : m_kept) {
            m_moments.add(m_allocations.birth[at]);
            m_moments.add(m_allocations.death[at]);
        }
        for (const Step &step : study.steps().steps)
            m_moments.add(step.first);
        for (const OutOfMemoryEvent &failure : study.device().outOfMemory)
            m_moments.add(failure.event);
        m_moments.number();
    }

    std::string document()
    {
        addMoments();
        addAllocations();
        nlohmann::ordered_json head{
            {"format", "vramscope-page"},
            {"version", 1},
            {"kind", "recording"},
            {"unit", m_options.unit == ByteUnit::Binary ? "binary" : "decimal"},
            {"events", m_events},
            {"timed", m_study.hasTimes()},
            {"allocations", m_allocations.count()},
            {"others", m_allocations.count() - m_kept.size()},
            {"colorBy", areCategoriesSure(m_study.peak()) ? "category" : "place"},
            {"seriesColors", m_options.seriesColors}};
        if (const auto others = static_cast<std::int64_t>(m_allocations.count() - m_kept.size());
            others > 0)
            head["aside"] = "The page has the " +
                            counted(std::ssize(m_kept), "largest allocation") + " of " +
                            formatCount(std::ssize(m_kept) + others) +
                            ". The grey band at the bottom is the sum of " +
                            counted(others, "smaller one") + ".";
        addCategories(head["categories"]);
        addMarks(head);
        return m_columns.document(std::move(head));
    }

private:
    void addMoments()
    {
        Column events(m_moments.events().begin(), m_moments.events().end());
        m_columns.add("event", Coding::Delta, events);
        if (m_study.hasTimes()) {
            Column times;
            times.reserve(events.size());
            for (const EventIndex event : m_moments.events())
                times.push_back(m_study.timeOf(event));
            m_columns.add("time", Coding::Delta, times);
        }
        if (m_study.summary().isReservedKnown)
            m_columns.add("reserved", Coding::Delta, reservedAtMoments());
        if (m_kept.size() < m_allocations.count())
            m_columns.add("others", Coding::Delta, othersAtMoments());
    }

    /// The most bytes that are reserved from each moment to the next.
    [[nodiscard]] Column reservedAtMoments() const
    {
        const EventCurve &reserved = m_study.curve().reserved();
        const std::vector<EventIndex> &events = m_moments.events();
        Column highest;
        highest.reserve(events.size());
        for (std::size_t at = 0; at + 1 < events.size(); ++at)
            highest.push_back(reserved.at(reserved.highest(events[at], events[at + 1] - 1)));
        highest.push_back(highest.empty() ? 0 : highest.back());
        return highest;
    }

    /// The most bytes that the allocations which are left out use from each moment to the next:
    /// the others change nowhere in between, so sums with them have their true peaks.
    [[nodiscard]] Column othersAtMoments() const
    {
        Column change(static_cast<std::size_t>(m_events) + 2); // by event + 1
        auto kept = m_kept.begin();
        for (AllocationIndex at = 0; at < m_allocations.count(); ++at) {
            if (kept != m_kept.end() && *kept == at) {
                ++kept;
                continue;
            }
            Bytes &born = change[placeOf(m_allocations.birth[at])];
            Bytes &dead = change[placeOf(m_allocations.death[at])];
            born = wrappingSum(born, m_allocations.size[at]);
            dead = wrappingDifference(dead, m_allocations.size[at]);
        }
        Column highest;
        Bytes bytes = 0;
        auto moment = m_moments.events().begin();
        for (std::size_t at = 0; at < change.size(); ++at) {
            bytes = wrappingSum(bytes, change[at]);
            if (moment != m_moments.events().end() && *moment + 1 == static_cast<EventIndex>(at)) {
                highest.push_back(bytes);
                ++moment;
            }
            highest.back() = std::max(highest.back(), bytes);
        }
        return highest;
    }

    void addAllocations()
    {
        const bool hasStreams = m_study.trace().streams().size() > 1;
        Places places(m_study.trace());
        Column births;
        Column lives;
        Column sizes;
        Column roundings;
        Column categories;
        Column at;
        Column streams;
        for (const AllocationIndex each : m_kept) {
            births.push_back(m_moments.of(m_allocations.birth[each]));
            lives.push_back(m_moments.of(m_allocations.death[each]) - births.back());
            sizes.push_back(m_allocations.size[each]);
            roundings.push_back(wrappingDifference(sizes.back(), m_allocations.requested[each]));
            categories.push_back(static_cast<std::int64_t>(m_study.categories().of(each).category));
            at.push_back(places.of(m_allocations.stack[each], m_allocations.freedIn(each)));
            if (hasStreams)
                streams.push_back(static_cast<std::int64_t>(m_allocations.stream[each]));
        }
        m_columns.add("birth", Coding::Delta, births);
        m_columns.add("life", Coding::Plain, lives);
        m_columns.add("size", Coding::Plain, sizes);
        m_columns.add("rounding", Coding::Signed, roundings);
        m_columns.add("category", Coding::Plain, categories);
        m_columns.add("place", Coding::Plain, at);
        if (hasStreams)
            m_columns.add("stream", Coding::Plain, streams);
        places.addTo(m_columns);
    }

    void addCategories(nlohmann::ordered_json &categories) const
    {
        for (std::size_t at = 0; at < kRecordedCategoryCount; ++at)
            categories.push_back(
                {{"name", categoryName(static_cast<Category>(at))},
                 {"color",
                  at < m_options.categoryColors.size() ? m_options.categoryColors[at] : ""}});
    }

    void addMarks(nlohmann::ordered_json &head) const
    {
        auto &steps = head["steps"] = nlohmann::ordered_json::array();
        for (const Step &step : m_study.steps().steps)
            steps.push_back({{"at", m_moments.of(step.first)},
                             {"name", "step " + std::to_string(step.number)}});
        auto &failures = head["failures"] = nlohmann::ordered_json::array();
        Bytes limit = 0;
        for (const OutOfMemoryEvent &failure : m_study.device().outOfMemory) {
            failures.push_back(
                {{"moment", m_moments.of(failure.event)}, {"requested", failure.requested}});
            if (failure.deviceFree >= 0)
                limit = std::max(limit, wrappingSum(failure.deviceFree,
                                                    m_study.curve().reserved(failure.event)));
        }
        head["limit"] = limit;
    }

    const Study &m_study;
    const RecordingDataOptions &m_options;
    const Allocations &m_allocations;
    EventIndex m_events;
    std::vector<AllocationIndex> m_kept;
    Moments m_moments;
    PackedColumns m_columns;
};

} // namespace

std::string recordingData(const Study &study, const RecordingDataOptions &options)
{
    return RecordingWriter(study, options).document();
}

} // namespace vramscope
