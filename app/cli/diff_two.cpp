// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/diff.h"
#include "app/cli/other_command.h"
#include "app/cli/trace_input.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/base/ordered_jobs.h"
#include "core/base/path_text.h"
#include "core/print/compare_report.h"
#include "core/readers/read_trace.h"
#include "core/trace/redaction.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>

namespace vramscope::cli {

namespace {

/// For an option given several times, the value for the file at `side`; the last value also serves
/// all further files.
std::string_view valueFor(const Arguments &arguments, std::string_view option, std::size_t side)
{
    std::string_view value;
    for (const Arguments::Given &given : arguments.options) {
        if (given.name != option)
            continue;
        value = given.value;
        if (side-- == 0)
            break;
    }
    return value;
}

Result<EventIndex> eventOf(const Study &study, std::string_view at)
{
    const auto moment = momentOf(at.empty() ? "peak" : at, study.device());
    if (!moment.ok())
        return moment.error();
    return *moment ? **moment : study.curve().peakActiveEvent();
}

/// Removes the names found in one of both.
void redactBoth(std::array<ShownTrace, 2> &shown)
{
    Redaction redaction;
    for (const ShownTrace &each : shown) {
        redaction.gather(*each.trace);
        redaction.gatherFileName(each.file);
    }
    for (ShownTrace &each : shown)
        each = {redaction.fileName(each.file), redaction.applied(*each.trace)};
}

} // namespace

int complainOf(const std::string &file, const Error &error, bool redact)
{
    complainOf(file, withRightCommand(error, "diff", file).text(), redact);
    return error.code == ErrorCode::Invalid ? kBadArguments : kUnusableFile;
}

int diffTwo(const std::vector<Source> &sources, const Arguments &arguments, std::size_t most)
{
    const bool redact = arguments.has("--redact");
    std::array<std::optional<Result<std::shared_ptr<const Trace>>>, 2> read;
    runInOrder(
        2, [&](std::size_t at) { read[at].emplace(readTrace(pathOf(sources[at].file))); },
        [](std::size_t) { return true; });
    const auto isOther = [](const std::optional<Result<std::shared_ptr<const Trace>>> &each) {
        return !each->ok() && each->error().code == ErrorCode::OtherContent;
    };
    if (std::ranges::all_of(read, isOther)) {
        if (const std::optional<int> status = diffProfiles(sources, arguments, most))
            return *status;
    }
    if (arguments.has("--step"))
        return badArguments("diff", "--step: only profiler traces are compared step by step");
    std::array<ShownTrace, 2> shown;
    std::vector<std::unique_ptr<const Study>> studies;
    std::vector<EventIndex> events;
    for (std::size_t at = 0; at < 2; ++at) {
        const std::string &file = sources[at].file;
        if (!read[at]->ok())
            return complainOf(file, read[at]->error(), redact);
        shown[at] = {file, **read[at]};
        const auto device = deviceOf(*shown[at].trace, valueFor(arguments, "--device", at));
        if (!device.ok())
            return complainOf(file, device.error(), redact);
        studies.push_back(std::make_unique<const Study>(shown[at].trace, **device));
        const auto event = eventOf(*studies.back(), valueFor(arguments, "--at", at));
        if (!event.ok())
            return complainOf(file, event.error(), redact);
        events.push_back(*event);
    }
    Comparison comparison = compareTraces({*studies[0], events[0]}, {*studies[1], events[1]});
    if (redact)
        redactBoth(shown);
    comparison.settings = compareSettings(*shown[0].trace, *shown[1].trace);
    std::cout << (arguments.has("--json")
                      ? compareJson(comparison, shown[0], shown[1], most) + '\n'
                      : compareText(comparison, shown[0], shown[1], most, unitOf(arguments)));
    return kSuccess;
}

} // namespace vramscope::cli
