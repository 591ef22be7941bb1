// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/projection_tables.h"

#include "core/base/letters.h"
#include "core/estimate/verdict.h"

#include <utility>

namespace vramscope {

namespace {

using PlanCell = DataTable::Cell;
using PlanKind = DataTable::Kind;

constexpr const char *kIdleTip =
    "Share of the step in which computing waits for the slowest GPU or in the pipeline";
constexpr const char *kCommunicationTip =
    "Share of the step in which computing waits for other GPUs' data";

PlanCell verdictCell(const std::optional<Verdict> &verdict, const std::string &word)
{
    if (!verdict)
        return "capacity unknown";
    PlanCell cell(word);
    cell.tone = *verdict == Verdict::Fits    ? DataTable::Tone::Good
                : *verdict == Verdict::Tight ? DataTable::Tone::Warning
                                             : DataTable::Tone::Bad;
    return cell;
}

std::string rangeText(const Projected &band)
{
    return formatRounded(band.low) + " to " + formatRounded(band.high);
}

PlanCell speedCell(const StepTime &time)
{
    const Projected speed = time.tokensPerSecond();
    return PlanCell(speed.likely).with(rangeText(speed) + " tokens/s");
}

RowTable scaleRows()
{
    return {
        "Numbers of GPUs",
        {{"gpus", "GPUs", PlanKind::Count, "All GPUs of the job", "GPUs"},
         {"step", "Step", PlanKind::Seconds, "The likely time of a step"},
         {"speed", "Tokens/s", PlanKind::Rounded,
          "Over all GPUs; the tooltip of a row has the range"},
         {"range", "Range"},
         {"speedup", "Speedup", PlanKind::Rounded, "Tokens a second over those of the first row"},
         {"efficiency", "Efficiency", PlanKind::Share,
          "Tokens a second and GPU over those of the first row"},
         {"communication", "Communication", PlanKind::Share, kCommunicationTip},
         {"idle", "Idle", PlanKind::Share, kIdleTip},
         {"device", "A GPU", PlanKind::Size, "Peak of the device, per GPU", "a GPU"},
         {"verdict", ""},
         {"hours", "GPU hours", PlanKind::Rounded,
          "Of the run that the plan states, else of a billion tokens", "GPU hours"}}};
}

} // namespace

DataTable scalePointsTable(std::span<const ScalePoint> points, bool withUnknown)
{
    RowTable table = scaleRows();
    std::size_t known = 0;
    for (const ScalePoint &point : points) {
        if (!point.known()) {
            const PlanCell missing = PlanCell().with(point.whyNot);
            std::vector<PlanCell> cells(11, missing);
            cells.front() = PlanCell(point.gpus).with(point.whyNot);
            if (withUnknown)
                table.add(std::move(cells));
            continue;
        }
        const StepTime &time = point.time;
        table.add({point.gpus, time.seconds.likely, speedCell(time),
                   rangeText(time.tokensPerSecond()), point.speedup, point.efficiency,
                   point.communicationShare(), time.idle / time.seconds.likely,
                   point.estimate.peakDevice,
                   verdictCell(verdictOf(point.estimate), verdictWord(point.estimate)),
                   time.gpuHours(tokensOfRun(*point.estimate.settings)).likely},
                  {.kind = 0, .at = known++});
    }
    return std::move(table).table();
}

DataTable strategiesTable(std::span<const StrategyOption> options)
{
    RowTable table("Strategies that fit",
                   {{"letter", ""},
                    {"speed", "Tokens/s", PlanKind::Rounded,
                     "Over all GPUs; the tooltip of a row has the range"},
                    {"range", "Range"},
                    {"communication", "Communication", PlanKind::Share, kCommunicationTip},
                    {"idle", "Idle", PlanKind::Share, kIdleTip},
                    {"device", "A GPU", PlanKind::Size, "Peak of the device, per GPU", "a GPU"},
                    {"verdict", ""},
                    {"strategy", "Strategy", PlanKind::Text,
                     "On the front, each faster strategy needs at least a twentieth more memory"}});
    for (std::size_t at = 0; at < options.size(); ++at) {
        const StrategyOption &option = options[at];
        const StepTime &time = option.time;
        table.add({letterName(at), speedCell(time), rangeText(time.tokensPerSecond()),
                   time.communication / time.seconds.likely, time.idle / time.seconds.likely,
                   option.standing.device,
                   verdictCell(option.standing.verdict, verdictWord(option.standing)),
                   option.title + (option.onFront ? "" : "  (not on the front)")},
                  {.kind = 0, .at = at});
    }
    return std::move(table).table();
}

DataTable layoutsTable(std::span<const Layout> layouts, const LayoutWords &words)
{
    RowTable rows(
        "Layouts that fit",
        {{"letter", ""},
         {"device", "Peak", PlanKind::Size, "Of the device, per GPU"},
         {"spare", "To spare", PlanKind::Size, "The GPU's memory less the peak"},
         {"verdict", "", PlanKind::Text,
          "Whether the GPU's memory holds all, or a part, of the range of the peak"},
         {"recomputed", "Recomputed", PlanKind::Share,
          "Share of the step's arithmetic that checkpointing repeats"},
         {"bubble", "Bubble", PlanKind::Share, "Share of the step in which a pipeline stage waits"},
         {"sent", "Sent", PlanKind::Size, "Bytes that each GPU sends in a step"},
         {"tokens", "Tokens", PlanKind::Count, "Of a micro-batch, or asked for at once"},
         {"cache_tokens", "Cache tokens", PlanKind::Count,
          "Tokens whose keys and values the cache holds"},
         {"largest", "Largest part"},
         {"layout", "Layout", PlanKind::Text, "The settings that differ from the plan's"}});
    bool isServing = false, hasBubble = false, hasOtherWork = false;
    for (std::size_t at = 0; at < layouts.size(); ++at) {
        const Layout &layout = layouts[at];
        const FitSummary &summary = layout.standing;
        rows.add({letterName(at), summary.device, summary.headroom,
                  verdictCell(summary.verdict, verdictWord(summary)), layout.recomputeShare,
                  layout.bubbleShare, layout.communicationBytes, layout.tokens, layout.cacheTokens,
                  words.largestPart ? words.largestPart(summary) : std::string(),
                  words.fields(layout.fields)},
                 {.kind = 0, .at = at});
        isServing |= layout.cacheTokens > 0;
        hasBubble |= layout.bubbleShare > 0;
        hasOtherWork |= layout.tokens != layouts.front().tokens;
    }
    DataTable table = std::move(rows).table();
    std::erase_if(table.columns, [&](const DataTable::Column &column) {
        return (column.key == "recomputed" && isServing) ||
               (column.key == "bubble" && !hasBubble) ||
               (column.key == "tokens" && !hasOtherWork) ||
               (column.key == "cache_tokens" && !isServing) ||
               (column.key == "largest" && !words.largestPart);
    });
    return table;
}

} // namespace vramscope
