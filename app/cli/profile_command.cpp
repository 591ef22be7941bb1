// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/other_command.h"
#include "app/cli/profile_input.h"
#include "app/cli/trace_input.h"
#include "app/cli/trace_sources.h"
#include "core/base/json_text.h"
#include "core/base/path_text.h"
#include "core/base/text_file.h"
#include "core/print/cells.h"
#include "core/print/profile_report.h"
#include "core/print/tables_report.h"
#include "core/profile/profile_redaction.h"
#include "core/ranks/rank_profiles.h"
#include "core/ranks/run_study.h"
#include "core/readers/read_trace.h"
#include "core/trace/problem_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

namespace vramscope::cli {

namespace {

/// The request from the command line.
struct ProfileRequest
{
    ProfileReading reading;
    bool json = false;
    bool asHta = false;
    OperatorGrouping grouping = OperatorGrouping::Name;
    std::size_t most = 0;
    std::shared_ptr<const ProfilerTables> counters = nullptr; ///< of Nsight Compute; null: none
};

/// Reports a table of a profiler instead of a recording.
int reportTables(const ProfilerTables &read, const std::string &file, const ProfileRequest &request)
{
    const ProfilerTables *tables = &read;
    std::shared_ptr<const ProfilerTables> without;
    std::string shown = file;
    if (request.reading.withoutNames) {
        Redaction names;
        names.gatherFileName(file);
        gatherNames(names, read);
        without = redacted(read, names);
        tables = without.get();
        shown = names.fileName(file);
    }
    std::cout << (request.json ? profilerTablesJson(*tables, nameOf(shown), request.most) + '\n'
                               : profilerTablesText(*tables, shown, request.most))
              << std::flush;
    return kSuccess;
}

/// A profile to print, with the name of its file and the counters of its kernels.
struct ShownProfile
{
    std::shared_ptr<const Profile> profile;
    std::string file;
    std::shared_ptr<const ProfilerTables> counters; ///< null: none
};

ShownProfile toShow(std::shared_ptr<const Profile> profile, const std::string &file,
                    const ProfileRequest &request)
{
    if (!request.reading.withoutNames)
        return {std::move(profile), file, request.counters};
    Redaction names;
    names.gatherFileName(file);
    gatherNames(names, *profile);
    if (request.counters)
        gatherNames(names, *request.counters);
    return {redacted(*profile, names), names.fileName(file),
            request.counters ? redacted(*request.counters, names) : nullptr};
}

int reportProfile(const std::string &file, const ProfileRequest &request)
{
    auto recording = readRecording(pathOf(file));
    if (recording.ok() && !request.counters) {
        if (const auto *tables = std::get_if<std::shared_ptr<const ProfilerTables>>(&*recording))
            return reportTables(**tables, file, request);
    }
    auto profile = profileIn(std::move(recording));
    if (!profile.ok())
        return complainOf(file, withRightCommand(profile.error(), "profile", file).text(),
                          request.reading.withoutNames);
    const ShownProfile shown = toShow(std::move(*profile), file, request);
    const ProfileStudy study(shown.profile, request.reading.rules, shown.counters);
    study.prepareReport();
    const ProfilePrinting as{request.json ? nameOf(shown.file) : shown.file, request.most,
                             request.asHta, request.grouping};
    std::cout << (request.json ? profileJson(study, as) + '\n' : profileText(study, as))
              << std::flush;
    return kSuccess;
}

/// The profiles of a folder, after all complaints; empty if it has no readable one.
std::vector<RankProfileFile> ranksOf(const std::string &folder, const ProfileRequest &request,
                                     int &status)
{
    const bool redact = request.reading.withoutNames;
    const std::string shown = redact ? redactedFile(folder) : folder;
    auto files = readProfileFiles(pathOf(folder), request.reading);
    if (!files.ok()) {
        complainOf(folder, files.error().text(), redact);
        status = kUnusableFile;
        return {};
    }
    for (const ProfileFolder::Unread &each : files->unread) {
        complainOf((pathOf(folder) / pathOf(each.name)).string(), each.why, redact);
        status = kUnusableFile;
    }
    if (files->profiles.empty()) {
        complain(shown, "holds no profiler trace that can be read");
        status = kUnusableFile;
    } else if (files->others > 0) {
        complain(shown, "left out what is no profiler trace: " +
                            counted(static_cast<std::int64_t>(files->others), "file"));
    }
    return std::move(files->profiles);
}

int reportFolder(const std::string &folder, const ProfileRequest &request)
{
    const std::string shown = request.reading.withoutNames ? redactedFile(folder) : folder;
    int status = kSuccess;
    std::vector<RankProfileFile> profiles = ranksOf(folder, request, status);
    if (profiles.empty())
        return status;
    const auto traces = std::make_shared<const ProfileFolder>(
        ProfileFolder{folder, compareRanks(std::move(profiles)), {}, 0});
    std::cout << (request.json
                      ? profileFolderJson(traces->ranks, nameOf(shown), request.most) + '\n'
                      : profileFolderText(*runStudy(traces), shown, request.most))
              << std::flush;
    return status;
}

/// The profiles of a file or folder, after all complaints.
std::vector<RankProfileFile> profilesOf(const std::string &file, const ProfileRequest &request,
                                        int &status)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(pathOf(file), ignored))
        return ranksOf(file, request, status);
    auto profile = readProfile(file);
    if (!profile.ok()) {
        complainOf(file, withRightCommand(profile.error(), "profile", file).text(),
                   request.reading.withoutNames);
        status = kUnusableFile;
        return {};
    }
    const ShownProfile shown = toShow(std::move(*profile), file, request);
    return {{nameOf(shown.file), std::nullopt,
             std::make_shared<const ProfileStudy>(shown.profile, request.reading.rules)}};
}

int reportTable(const std::vector<std::string> &files, const ProfileRequest &request)
{
    int status = kSuccess;
    std::vector<RunRow> rows;
    for (const std::string &file : files) {
        for (const RankProfileFile &each : profilesOf(file, request, status)) {
            if (auto row = runRow(each.file, *each.study)) {
                rows.push_back(std::move(*row));
                continue;
            }
            for (const Problem &problem : each.study->problems()) // why it has no row
                complain(each.file, problemText(problem));
        }
    }
    if (rows.empty())
        return kUnusableFile;
    std::cout << (request.json ? runTableJson(rows) + '\n' : runTableText(rows)) << std::flush;
    return status;
}

constexpr std::array<std::string_view, 4> kGroupings{"name", "shapes", "path",
                                                     "module"}; // by OperatorGrouping

Result<OperatorGrouping> groupingOf(const Arguments &arguments)
{
    if (!arguments.has("--by"))
        return OperatorGrouping::Name;
    const auto found = std::ranges::find(kGroupings, arguments.value("--by"));
    if (found == kGroupings.end())
        return invalid("--by takes name, shapes, path or module");
    return static_cast<OperatorGrouping>(found - kGroupings.begin());
}

Result<std::vector<WorkRule>> rulesOf(const std::string &file)
{
    const Result<std::string> text = readTextFile(pathOf(file), kLongestDocument);
    if (!text.ok())
        return text.error();
    return workRulesFromJson(*text);
}

/// The launches that Nsight Compute counted.
Result<std::shared_ptr<const ProfilerTables>> countersOf(const std::string &file)
{
    auto recording = readRecording(pathOf(file));
    if (!recording.ok())
        return recording.error();
    const auto *tables = std::get_if<std::shared_ptr<const ProfilerTables>>(&*recording);
    if (!tables || (*tables)->tool != TableTool::NsightCompute)
        return Error{ErrorCode::OtherContent,
                     tables ? "These are sums of nsys stats, which a recording has itself; "
                              "--counters takes what \"ncu --csv\" wrote."
                            : "This is no table of Nsight Compute; --counters takes what \"ncu "
                              "--csv\" wrote."};
    return *tables;
}

int runProfile(const Arguments &arguments)
{
    if (arguments.has("--print-rules")) {
        std::cout << workRulesJson(defaultWorkRules());
        return kSuccess;
    }
    if (arguments.files.empty())
        return badArguments("profile", "name a file or folder; see vramscope-cli profile --help");
    ProfileRequest request;
    request.json = arguments.has("--json");
    request.asHta = arguments.has("--as-hta");
    request.reading.withoutNames = arguments.has("--redact");
    const Result<std::size_t> most = topOf(arguments, request.json ? 0 : 10);
    if (!most.ok())
        return badArguments("profile", most.error().text());
    request.most = *most;
    const Result<OperatorGrouping> grouping = groupingOf(arguments);
    if (!grouping.ok())
        return badArguments("profile", grouping.error().text());
    request.grouping = *grouping;
    if (arguments.has("--rules")) {
        const std::string file(arguments.value("--rules"));
        Result<std::vector<WorkRule>> rules = rulesOf(file);
        if (!rules.ok()) {
            complainOf(file, rules.error().text(), request.reading.withoutNames);
            return kBadArguments;
        }
        request.reading.rules = std::move(*rules);
    }
    if (arguments.has("--counters")) {
        const std::string file(arguments.value("--counters"));
        if (arguments.has("--table") || arguments.has("--ranks"))
            return badArguments("profile",
                                "--counters goes with a recording alone, not with --table or "
                                "--ranks");
        auto counters = countersOf(file);
        if (!counters.ok())
            return complainOf(file, counters.error().text(), request.reading.withoutNames);
        request.counters = std::move(*counters);
    }
    if (arguments.has("--table"))
        return reportTable(arguments.files, request);
    int status = kSuccess;
    std::string_view gap;
    for (const std::string &file : arguments.files) {
        std::cout << (request.json ? "" : gap);
        gap = "\n";
        std::error_code ignored;
        const bool isRun =
            arguments.has("--ranks") || std::filesystem::is_directory(pathOf(file), ignored);
        if (isRun && request.counters)
            return badArguments("profile",
                                "--counters goes with a recording alone, not with a folder of "
                                "those of a run");
        const int one = isRun ? reportFolder(file, request) : reportProfile(file, request);
        status = std::max(status, one);
    }
    return status;
}

constexpr std::array kProfileOptions{
    Option{"--json", "", "one JSON object a file or folder, one line each; times in nanoseconds"},
    Option{"--top", "N", "at most so many lines of a table; 10 by default, in JSON all; 0: all"},
    Option{"--by", "WHAT", "operators in text by name, shapes, path or module; name by default"},
    Option{"--ranks", "", "the GPUs of one recording beside each other, as the ranks of a run"},
    Option{"--as-hta", "", "in text, with the figures that HolisticTraceAnalysis gives"},
    Option{"--table", "", "runs beside each other, a row each: compute, idle, overlap, memory"},
    Option{"--rules", "FILE", "what is communication, copy or compute, by a JSON table of rules"},
    Option{"--counters", "FILE", "joins what ncu --csv counted to the kernels of the recording"},
    kRedactOption,
    Option{"--print-rules", "", "prints the table of rules that ships, to be edited"},
};

} // namespace

const Subcommand kProfileCommand{
    {"profile", "FILE|FOLDER…",
     "Where the time went in profiler traces or tables of Nsight, and which rank is late.", 0,
     kAnyNumber, kProfileOptions},
    runProfile};

} // namespace vramscope::cli
