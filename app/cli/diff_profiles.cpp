// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/diff.h"
#include "app/cli/profile_input.h"
#include "core/base/ordered_jobs.h"
#include "core/print/profile_difference_report.h"
#include "core/profile/profile_redaction.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

DifferenceScope scopeOf(const Arguments &arguments)
{
    const std::string step(arguments.value("--step", "median"));
    if (step == "median")
        return {};
    if (step == "all")
        return {DifferenceScope::Kind::All, {}};
    return {DifferenceScope::Kind::Named, step};
}

bool hasStep(const Profile &profile, const std::string &step)
{
    return std::ranges::any_of(
        profile.steps(), [&](const ProfilerStep &each) { return profile.text(each.name) == step; });
}

/// The valid step names, in a few words.
std::string stepNames(const Profile &profile)
{
    if (profile.steps().empty())
        return "it has no steps";
    const auto name = [&](const ProfilerStep &step) {
        return "\"" + std::string(profile.text(step.name)) + "\"";
    };
    return "it has " + name(profile.steps().front()) +
           (profile.steps().size() > 1 ? " to " + name(profile.steps().back()) : std::string());
}

} // namespace

std::optional<int> diffProfiles(const std::vector<Source> &sources, const Arguments &arguments,
                                std::size_t most)
{
    std::array<std::shared_ptr<const Profile>, 2> read;
    runInOrder(
        2,
        [&](std::size_t at) {
            if (auto profile = readProfile(sources[at].file); profile.ok())
                read[at] = std::move(*profile);
        },
        [](std::size_t) { return true; });
    if (!read[0] || !read[1])
        return std::nullopt;
    DifferenceScope scope = scopeOf(arguments);
    const bool redact = arguments.has("--redact");
    for (std::size_t at = 0; at < 2; ++at) {
        if (scope.kind != DifferenceScope::Kind::Named || hasStep(*read[at], scope.step))
            continue;
        complainOf(sources[at].file,
                   "--step: there is no step \"" + scope.step + "\"; " + stepNames(*read[at]),
                   redact);
        return kBadArguments;
    }
    std::array<std::string, 2> files{sources[0].file, sources[1].file};
    if (redact) { // the names of one are taken out of both
        Redaction names;
        for (std::size_t at = 0; at < 2; ++at) {
            names.gatherFileName(files[at]);
            gatherNames(names, *read[at]);
        }
        for (std::size_t at = 0; at < 2; ++at) {
            files[at] = names.fileName(files[at]);
            read[at] = redacted(*read[at], names);
        }
        scope.step = names.text(scope.step, Redaction::Kind::Prose);
    }
    const ProfileStudy a(read[0]);
    const ProfileStudy b(read[1]);
    const ProfileDifference difference = compareProfiles(a, b, scope);
    std::cout << (arguments.has("--json") ? profileDifferenceJson(difference, most) + '\n'
                                          : profileDifferenceText(difference, files, most));
    return kSuccess;
}

} // namespace vramscope::cli
