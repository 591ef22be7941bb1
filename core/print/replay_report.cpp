// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/replay_report.h"

#include "core/analysis/study/study.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/describe/allocator_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/oom_remedies.h"
#include "core/table/terminal_table.h"

#include <algorithm>

namespace vramscope {

namespace {

// With one full stop at its end.
std::string sentence(const std::string &text)
{
    return text.ends_with('.') ? text : text + '.';
}

// A setting in lines that leave room for the figures, cut behind commas: it is to be copied whole.
std::vector<std::string> linesOf(const std::string &setting)
{
    constexpr std::size_t kWidest = 36;
    std::vector<std::string> lines{""};
    for (std::size_t start = 0; start < setting.size();) {
        const std::size_t comma = std::min(setting.find(',', start), setting.size() - 1);
        const std::string part = setting.substr(start, comma + 1 - start);
        if (!lines.back().empty() && lines.back().size() + part.size() > kWidest)
            lines.emplace_back();
        lines.back() += part;
        start = comma + 1;
    }
    return lines;
}

std::string tableText(const Replay &replay, const WhatIfs &whatIfs, ByteUnit unit)
{
    const TextTable wide = textTable(
        whatIfsTable(std::make_shared<const WhatIfFindings>(WhatIfFindings{replay, whatIfs})),
        {.keys = {"setting", "reserved", "stranded", "calls", "retries", "failure"},
         .widest = TextTable::kWidestCell,
         .unit = unit});
    TextTable table(wide.columns());
    for (std::vector<std::string> row : wide.rows()) {
        for (const std::string &line : linesOf(row.front())) {
            row.front() = line;
            table.addRow(row);
            std::ranges::fill(row, std::string());
        }
    }
    return "PYTORCH_CUDA_ALLOC_CONF, the most reserved bytes, those stranded then, calls of the "
           "driver:\n" +
           table.text();
}

std::string issuesText(const WhatIfs &whatIfs)
{
    std::string text;
    const auto add = [&](const std::string &name, const WhatIf &asked) {
        for (const SettingIssue &issue : asked.issues)
            text += paragraph(name + ": " + issue.text);
    };
    add("As recorded", whatIfs.recorded);
    for (const WhatIf &asked : whatIfs.others)
        add(configurationName(asked.configuration), asked);
    return text;
}

/// A terminal has other settings only where --usual or --alloc-conf asks for them.
std::string adviceText(const WhatIfs &whatIfs, ByteUnit unit)
{
    if (whatIfs.recorded.simulated && whatIfs.others.empty())
        return whatIfs.recorded.result.runsOut()
                   ? "The device is too small under the recorded settings; --usual tries others.\n"
                   : "";
    return paragraph(replayAdvice(whatIfs, unit));
}

// What the recorded settings would reserve at addresses in the other order; empty where that is the
// same or not known.
std::string otherOrderText(const WhatIfs &whatIfs, ByteUnit unit)
{
    const Bytes peak = whatIfs.recorded.result.figures.peakReserved;
    const Bytes other = whatIfs.peakInOtherOrder.value_or(peak);
    if (other == peak)
        return {};
    const bool falling = whatIfs.addresses == AddressOrder::Falling;
    return "Where the driver puts segments decides too: at " +
           std::string(falling ? "rising addresses, as under Windows,"
                               : "falling addresses, as under Linux,") +
           " the recorded settings would reserve " + formatBytes(other, unit) +
           " at the peak instead of " + formatBytes(peak, unit) + ".";
}

const char *endName(ReplayEnd end)
{
    switch (end) {
    case ReplayEnd::Complete:
        return "none";
    case ReplayEnd::NothingRecorded:
        return "nothing_recorded";
    case ReplayEnd::NoAddresses:
        return "no_addresses";
    case ReplayEnd::OtherAllocator:
        return "other_allocator";
    case ReplayEnd::OtherSettings:
        return "other_settings";
    case ReplayEnd::Contradiction:
        return "contradiction";
    case ReplayEnd::UnknownSizes:
        return "unknown_sizes";
    case ReplayEnd::UnknownReach:
        return "unknown_reach";
    case ReplayEnd::RestoredPool:
        return "restored_pool";
    case ReplayEnd::Unexplained:
        break;
    }
    return "unexplained";
}

const char *kindName(SettingIssue::Kind kind)
{
    switch (kind) {
    case SettingIssue::Kind::Unknown:
        return "unknown";
    case SettingIssue::Kind::BadValue:
        return "bad_value";
    case SettingIssue::Kind::Contradicts:
        return "contradicts";
    case SettingIssue::Kind::TooNew:
        return "too_new";
    case SettingIssue::Kind::NotSimulated:
        break;
    }
    return "not_simulated";
}

Json figuresJson(const AllocatorFigures &figures, Bytes strandedAtPeak, EventIndex peakEvent)
{
    return {{"peak_reserved", figures.peakReserved},
            {"peak_reserved_event", peakEvent},
            {"stranded_at_peak", strandedAtPeak},
            {"peak_allocated", figures.peakAllocated},
            {"peak_active", figures.peakActive},
            {"reserved_end", figures.reserved},
            {"allocated_end", figures.allocated},
            {"active_end", figures.active},
            {"requested_end", figures.requested},
            {"inactive_split_end", figures.inactiveSplit},
            {"driver_allocations", figures.driverAllocations},
            {"driver_frees", figures.driverFrees},
            {"retries", figures.retries},
            {"synchronizations", figures.synchronizations},
            {"out_of_memory", figures.outOfMemory}};
}

Json whatIfJson(const WhatIfs &whatIfs, const WhatIf &asked)
{
    const auto issueJson = [](const SettingIssue &issue) -> Json {
        return {{"key", issue.key}, {"kind", kindName(issue.kind)}, {"text", issue.text}};
    };
    const SimulationResult &result = asked.result;
    Json json{{"configuration", asked.configuration},
              {"simulated", asked.simulated},
              {"issues", listJson(asked.issues, issueJson)}};
    if (!asked.simulated)
        return json;
    json["figures"] = figuresJson(result.figures, result.strandedAtPeak, result.peakEvent);
    json["out_of_memory_event"] = orNull(result.outOfMemoryEvent);
    json["failed"] = result.failed;
    json["rescued"] = result.rescued;
    json["left_after_failure"] = orNull(whatIfs.leftAfterFailure(asked));
    return json;
}

Json restJson(const std::optional<LastFailure> &failure)
{
    if (!failure)
        return {};
    const RestOfStep &rest = failure->rest;
    return {{"recording_ends", rest.endsThere},
            {"more", orNull(rest.isKnown, rest.more)},
            {"as_in_step", orNull(rest.isKnown, rest.step)},
            {"text", restText(rest, ByteUnit::Binary)}};
}

} // namespace

std::string exactnessText(const Replay &replay)
{
    const std::string events = counted(replay.events, "event");
    std::string text;
    if (replay.exact()) {
        text = "exact, all " + events +
               (replay.fromStart ? ", from the start of the program."
                                 : ", from the state before the first one.");
    } else if (replay.end == ReplayEnd::NothingRecorded) {
        text = "nothing to replay: " + sentence(replay.reason);
    } else if (replay.end == ReplayEnd::NoAddresses) {
        text = "nothing can be compared, because " + sentence(replay.reason);
    } else {
        text = replay.exactEvents == 0 ? std::string("not exact from the first event on")
                                       : "exact up to event " + formatCount(replay.exactEvents) +
                                             " of " + formatCount(replay.events);
        text += ", because " + sentence(replay.reason);
    }
    if (replay.otherBlocks > 0)
        text += " The list of blocks at its end is not the one that its events lead to: " +
                counted(replay.otherBlocks, "block") +
                (replay.otherBlocks == 1 ? " differs." : " differ.");
    return text;
}

std::string replayVerdict(const Study &study, const std::string &file)
{
    return printable(file) + ", device " + std::to_string(study.device().device) + ": " +
           exactnessText(study.replay());
}

std::string replayAdvice(const WhatIfs &whatIfs, ByteUnit unit)
{
    const SimulationResult &recorded = whatIfs.recorded.result;
    if (!whatIfs.recorded.simulated)
        return "What was recorded is not simulated, so nothing can be compared with it.";
    if (!whatIfs.best && recorded.runsOut())
        return "The device is too small under every setting here that the program can use.";
    if (!whatIfs.best && recorded.failed > 0)
        return "What ran out of memory in the recording does so under every setting here that the "
               "program can use.";
    if (!whatIfs.best)
        return "None of these settings is worth a change.";
    const WhatIf &best = whatIfs.others[*whatIfs.best];
    const std::string now = formatBytes(recorded.figures.peakReserved, unit);
    const std::string then = formatBytes(best.result.figures.peakReserved, unit);
    const bool rescues = recorded.failed > best.result.failed || recorded.runsOut();
    const bool serves = best.result.failed == 0 && !best.result.runsOut();
    const std::string gain = !rescues ? ""
                             : serves ? "every request that the recording holds is served, with "
                                      : "fewer requests of the recording run out of memory, with ";
    const std::string rest = !rescues && recorded.failed > 0
                                 ? " What ran out of memory in the recording still does."
                                 : "";
    const std::string value = best.configuration.empty() ? "\"\"" : printable(best.configuration);
    const std::string until = rescues ? untilFailureText(whatIfs, best, unit) : "";
    return "Use PYTORCH_CUDA_ALLOC_CONF=" + value + ": " + gain + then +
           " reserved at the peak instead of " + now + "." + rest +
           (until.empty() ? "" : " " + until);
}

std::string trustText(const Replay &replay, const WhatIfs &whatIfs, ByteUnit unit)
{
    std::string text =
        replay.exact()
            ? "The simulation does exactly what was recorded under the recorded settings."
        : replay.end == ReplayEnd::NoAddresses
            ? "The recording holds nothing to check the simulation by: take it as an estimate."
            : "The simulation leaves the recording at event " + formatCount(replay.exactEvents) +
                  ": take it as an estimate.";
    const bool falling = whatIfs.addresses == AddressOrder::Falling;
    text += " Every row begins with an empty allocator, keeps the order of the requests and gets ";
    text += falling ? "falling addresses, as under Linux" : "rising addresses, as under Windows";
    if (!replay.fromStart)
        text += "; what was held before the recording is allocated first, by address";
    const SimulationResult &recorded = whatIfs.recorded.result;
    // Otherwise the device, too, is another.
    if (replay.exact() && !recorded.runsOut() && recorded.rescued == 0)
        text += "; begun so, the recorded settings come to " +
                formatBytes(recorded.figures.peakReserved, unit) + " reserved at the peak, where " +
                formatBytes(replay.figures.peakReserved, unit) + " was recorded";
    const std::string other = otherOrderText(whatIfs, unit);
    text += other.empty() ? "" : ". " + other.substr(0, other.size() - 1);
    text += whatIfs.capacity == kUnknownCapacity
                ? ". The capacity of the device is not known."
                : ". The device has " + formatBytes(whatIfs.capacity, unit) + " for the allocator.";
    return text;
}

std::string untilFailureText(const WhatIfs &whatIfs, const WhatIf &asked, ByteUnit unit)
{
    if (!whatIfs.lastFailure)
        return {};
    const RestOfStep &rest = whatIfs.lastFailure->rest;
    std::string text = restText(rest, unit);
    const std::optional<Bytes> left = whatIfs.leftAfterFailure(asked);
    if (!left || *left < 0)
        return text;
    const std::string there =
        text + " Under this setting at most " + formatBytes(*left, unit) + " would be left for it";
    if (!rest.isKnown)
        return there + ".";
    return there + (rest.more <= *left ? ", which is enough." : ", which is too little.");
}

std::string replayText(const Study &study, const WhatIfs *whatIfs, const std::string &file,
                       ByteUnit unit)
{
    const Replay &replay = study.replay();
    std::string text = paragraph(replayVerdict(study, file));
    if (!replay.difference.empty())
        text += paragraph(replay.difference);
    if (whatIfs == nullptr)
        return text;
    return text + "\n" + tableText(replay, *whatIfs, unit) + "\n" + issuesText(*whatIfs) +
           adviceText(*whatIfs, unit) +
           paragraph(trustText(replay, *whatIfs, unit) +
                     (whatIfs->capacity == kUnknownCapacity ? " --capacity states it." : ""));
}

std::string replayJson(const Study &study, const WhatIfs *whatIfs, const std::string &file)
{
    const Replay &replay = study.replay();
    Json json{{"file", file},
              {"device", study.device().device},
              {"events", replay.events},
              {"exact", replay.exact()},
              {"exact_events", replay.exactEvents},
              {"complete_history", replay.fromStart},
              {"cause", endName(replay.end)},
              {"reason", textOrNull(replay.reason)},
              {"difference", textOrNull(replay.difference)},
              {"other_blocks", replay.otherBlocks},
              {"capacity", orNull(replay.capacity >= 0, replay.capacity)},
              {"figures", figuresJson(replay.figures, replay.strandedAtPeak, replay.peakEvent)}};
    if (whatIfs) {
        json["capacity"] = orNull(whatIfs->capacity != kUnknownCapacity, whatIfs->capacity);
        Json settings = Json::array({whatIfJson(*whatIfs, whatIfs->recorded)});
        for (const WhatIf &asked : whatIfs->others)
            settings.push_back(whatIfJson(*whatIfs, asked));
        json["settings"] = settings;
        json["recommended"] =
            whatIfs->best ? Json(whatIfs->others[*whatIfs->best].configuration) : Json();
        json["rest_of_step"] = restJson(whatIfs->lastFailure);
        json["addresses"] = whatIfs->addresses == AddressOrder::Falling ? "falling" : "rising";
        json["peak_reserved_other_order"] = orNull(whatIfs->peakInOtherOrder);
    }
    return jsonText(json);
}

} // namespace vramscope
