// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/summarize_folder.h"

#include "core/base/descriptor.h"
#include "core/base/folder.h"
#include "core/base/memory.h"
#include "core/base/ordered_jobs.h"
#include "core/base/output_file.h"
#include "core/base/path_text.h"
#include "core/base/text_hash.h"
#include "core/profile/profile_redaction.h"
#include "core/readers/detect_format.h"
#include "core/readers/read_trace.h"
#include "core/session/session_json.h"
#include "core/trace/redaction.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <set>

namespace vramscope {

namespace {

/// Lets so many files be read at once, and no more than memory is there for, but always one.
class ReadingSlots
{
public:
    explicit ReadingSlots(std::size_t jobs)
        : m_jobs(jobs == 0 ? std::numeric_limits<std::size_t>::max() : jobs)
    {
        constexpr double kShare = 0.8; // of what is free
        if (const auto free = freeMemory())
            m_memory = static_cast<Bytes>(kShare * static_cast<double>(*free));
    }

    /// Held while a file of that size is read.
    class Slot
    {
    public:
        Slot(ReadingSlots &slots, Bytes size, bool isPacked)
            : m_slots(slots)
            , m_need((isPacked ? kMemoryPerPackedByte : kMemoryPerByte) * size)
        {
            std::unique_lock lock(slots.m_mutex);
            slots.m_changed.wait(lock, [&] { return slots.hasRoom(m_need); });
            ++slots.m_inUse;
            slots.m_taken += m_need;
        }
        ~Slot()
        {
            const std::lock_guard lock(m_slots.m_mutex);
            --m_slots.m_inUse;
            m_slots.m_taken -= m_need;
            m_slots.m_changed.notify_all();
        }
        Slot(const Slot &) = delete;
        Slot &operator=(const Slot &) = delete;

    private:
        // Of a file, while it is read and analysed.
        static constexpr Bytes kMemoryPerByte = 2;
        static constexpr Bytes kMemoryPerPackedByte = 16;
        ReadingSlots &m_slots;
        Bytes m_need;
    };

private:
    [[nodiscard]] bool hasRoom(Bytes need) const
    {
        return m_inUse == 0 || (m_inUse < m_jobs && (!m_memory || m_taken + need <= *m_memory));
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_jobs;
    std::optional<Bytes> m_memory;
    std::size_t m_inUse = 0;
    Bytes m_taken = 0;
};

/// The file as it is summarised: with --redact under a name that a later run finds again.
SummarySource sourceOf(const std::string &path, const SourceStamp &stamp, bool isRedacted)
{
    SummarySource source = summarySourceOf(path, stamp);
    if (isRedacted) {
        Redaction names;
        names.gatherFileName(path);
        source.path = shownPath(path, names);
        source.node.clear();
        source.nodeBy = KnownBy::Nothing;
    }
    return source;
}

struct Summarized
{
    std::vector<SummarizedDevice> devices;
};

Summarized summarizeFile(const std::filesystem::path &file, const SummarySource &source,
                         bool isRedacted, const Progress &progress)
{
    constexpr double kReading = 0.6; // of the work
    Summarized result;
    const auto fail = [&](const Error &error) {
        RankSummary summary = unusable(source, error);
        if (isRedacted) {
            Redaction names;
            names.gatherFileName(file.string());
            summary.error = names.sentence(summary.error);
        }
        result.devices.push_back({std::move(summary), {}});
    };
    if (const auto format = formatOf(file);
        format && (*format == TraceFormat::ChromeTrace || *format == TraceFormat::NsightExport)) {
        auto recording = readRecording(file, partOf(progress, 0, kReading));
        auto *profile =
            recording ? std::get_if<std::shared_ptr<const Profile>>(&*recording) : nullptr;
        if (!recording && recording.error().code != ErrorCode::Cancelled)
            fail(recording.error());
        else if (recording && profile == nullptr)
            fail({ErrorCode::OtherContent, "It is no profiler trace."});
        if (profile == nullptr || (progress && !progress(kReading)))
            return result;
        if (isRedacted) {
            Redaction names;
            names.gatherFileName(file.string());
            gatherNames(names, **profile);
            *profile = redacted(**profile, names);
        }
        result.devices = summarize(*profile, source);
        return result;
    }
    auto trace = readTrace(file, partOf(progress, 0, kReading));
    if (!trace) {
        if (trace.error().code != ErrorCode::Cancelled)
            fail(trace.error());
        return result;
    }
    if (isRedacted) {
        Redaction names;
        names.gather(**trace);
        names.gatherFileName(file.string());
        trace = names.applied(**trace);
    }
    if (auto devices = summarize(*trace, source, partOf(progress, kReading, 1)))
        result.devices = std::move(*devices);
    return result;
}

struct FileToSummarize
{
    std::filesystem::path file;
    SummarySource source;
};

/// By file, several at once; nothing once `progress` asked to stop.
std::optional<std::vector<Summarized>> summarizeFiles(const std::vector<FileToSummarize> &files,
                                                      bool isRedacted, std::size_t jobs,
                                                      const Progress &progress)
{
    ReadingSlots slots(jobs);
    std::vector<Summarized> read(files.size());
    const auto readOne = [&](std::size_t at, const Progress &each) {
        const auto &[file, source] = files[at];
        const std::string ending = file.extension().string();
        const ReadingSlots::Slot slot(slots, source.stamp.size,
                                      ending == ".gz" || ending == ".zst" || ending == ".zip");
        read[at] = summarizeFile(file, source, isRedacted, each);
    };
    if ((progress && !progress(0)) || !runTogether(files.size(), readOne, progress))
        return std::nullopt;
    return read;
}

/// Of a recording one device; why it cannot be used where it has no such device.
std::vector<SummarizedDevice> onlyDevice(std::vector<SummarizedDevice> devices,
                                         const SummarySource &source, std::int64_t device)
{
    std::string there;
    for (const SummarizedDevice &each : devices) {
        if (each.summary.isUsable())
            there += (there.empty() ? "" : ", ") + std::to_string(each.summary.device);
    }
    std::erase_if(devices, [device](const SummarizedDevice &each) {
        return each.summary.isUsable() && each.summary.device != device;
    });
    if (devices.empty())
        devices.push_back(
            {unusable(source, {ErrorCode::Invalid, "It has no device " + std::to_string(device) +
                                                       "; it has: " + there + "."}),
             {}});
    return devices;
}

Error cancelled()
{
    return {ErrorCode::Cancelled, "Summarising was cancelled."};
}

/// What an earlier run wrote of the same work, whole.
std::optional<RunSummary> earlier(const SummaryTask &task, const std::filesystem::path &file,
                                  const WantedKinds &wanted)
{
    if (task.again)
        return {};
    auto read = readRunFile(file, wanted);
    if (!read || !read->whyIncomplete.empty() || !read->problems.empty())
        return {};
    const std::vector<SummaryPart> parts = read->run.parts();
    if (parts.size() != 1 || parts.front() != task.part)
        return {};
    return std::move(read->run);
}

} // namespace

std::string shownPath(const std::string &path, const Redaction &names)
{
    std::string shown = names.fileName(path);
    if (shown == path)
        return shown;
    std::array<char, 16> hash{};
    (void)std::snprintf(hash.data(), hash.size(), "%08x",
                        static_cast<unsigned>(textHash(path) & 0xffffffffU));
    return shown + "~" + hash.data();
}

std::int64_t partOfRank(std::int64_t rank, std::int64_t ranks, std::int64_t parts)
{
    // The last block that does not begin behind the rank.
    __extension__ using Product = __int128;
    return static_cast<std::int64_t>(((Product(rank) + 1) * parts - 1) / ranks);
}

std::int64_t partOfFile(const std::string &path, std::optional<std::int64_t> ranks,
                        std::int64_t parts)
{
    const std::optional<std::int64_t> rank = summarySourceOf(path, {}).rank;
    if (ranks && rank && *rank < *ranks)
        return partOfRank(*rank, *ranks, parts);
    return static_cast<std::int64_t>(textHash(path) % static_cast<std::uint64_t>(parts));
}

std::string partFileName(const SummaryPart &part)
{
    std::array<char, 64> name{};
    (void)std::snprintf(name.data(), name.size(), "part-%05lld-of-%05lld",
                        static_cast<long long>(part.part), static_cast<long long>(part.parts));
    return name.data() + std::string(kRunFileEnding);
}

std::optional<SummaryPart> partOfFileName(const std::string &name)
{
    std::string_view rest = name;
    const auto takeNumber = [&rest](std::string_view before) -> std::optional<std::int64_t> {
        if (!rest.starts_with(before))
            return {};
        rest.remove_prefix(before.size());
        std::int64_t number = 0;
        const auto [end, status] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        return status == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
    };
    const auto part = takeNumber("part-");
    const auto parts = part ? takeNumber("-of-") : std::nullopt;
    if (!parts || rest != kRunFileEnding || *part >= *parts || *parts > kMostParts)
        return {};
    return SummaryPart{*part, *parts, {}, {}, false};
}

Result<std::vector<std::string>> filesToSummarize(const std::filesystem::path &folder)
{
    const auto files = filesOfFolder(folder);
    if (!files)
        return files.error();
    std::vector<std::string> paths;
    for (const std::filesystem::path &file : *files) {
        const bool isOwn = !recordingPath(file).empty() || isNamedAsRunFile(file);
        if (!isOwn)
            paths.push_back(file.lexically_relative(folder).generic_string());
    }
    return paths;
}

std::optional<SourceStamp> fileStamp(const std::filesystem::path &file)
{
    const auto status = statusOf(file);
    if (!status)
        return {};
    constexpr std::int64_t kMicro = 1'000'000;
    constexpr std::int64_t kNanosInMicro = 1'000;
    const auto [seconds, nanoseconds] = status->modified;
    return SourceStamp{seconds * kMicro + nanoseconds / kNanosInMicro, status->size, true,
                       kSummaryAnalysis};
}

Result<LocalSummaries> summarizeHere(const LocalRecordings &recordings, const Progress &progress)
{
    std::vector<FileToSummarize> files;
    for (const std::string &path : recordings.paths) {
        const std::filesystem::path file = recordings.folder / pathOf(path);
        files.push_back(
            {file, sourceOf(path, fileStamp(file).value_or(SourceStamp{}), recordings.isRedacted)});
    }
    auto read = summarizeFiles(files, recordings.isRedacted, 0, progress);
    if (!read)
        return cancelled();
    LocalSummaries result;
    for (std::size_t at = 0; at < files.size(); ++at) {
        LocalSummaries::File &file = result.files.emplace_back();
        std::vector<SummarizedDevice> devices = std::move((*read)[at].devices);
        if (recordings.device)
            devices = onlyDevice(std::move(devices), files[at].source, *recordings.device);
        for (const SummarizedDevice &device : devices) {
            if (!device.summary.isUsable())
                file = {device.summary.error, device.summary.isRecording};
            result.run.add(device);
        }
    }
    return result;
}

Result<SummaryOutcome> summarizeFolder(const SummaryTask &task, const Progress &progress)
{
    const auto listed = filesToSummarize(task.folder);
    if (!listed)
        return listed.error();
    std::error_code failed;
    std::filesystem::create_directories(task.out, failed);
    if (failed)
        return Error{ErrorCode::WriteFailed,
                     "The folder for the summaries cannot be made: " + failed.message() + "."};
    SummaryOutcome outcome;
    outcome.file = task.out / pathOf(partFileName(task.part));

    std::vector<SummarySource> sources;
    std::vector<std::filesystem::path> files;
    for (const std::string &path : *listed) {
        if (partOfFile(path, task.part.ranks, task.part.parts) != task.part.part)
            continue;
        if (const auto stamp = fileStamp(task.folder / pathOf(path))) {
            sources.push_back(sourceOf(path, *stamp, task.part.isRedacted));
            files.push_back(task.folder / pathOf(path));
        }
    }
    outcome.files = files.size();

    // A file stands where it is summarised in its state of now, usable or not.
    const auto stands = [](const RunSummary &run, const SummarySource &source) {
        const auto stamp = run.stampOf(source.path);
        return stamp && stamp->modified == source.stamp.modified &&
               stamp->size == source.stamp.size && !stamp->isOutdated();
    };
    const auto allStand = [&](const RunSummary &run) {
        return std::ranges::all_of(sources,
                                   [&](const SummarySource &each) { return stands(run, each); });
    };
    const WantedKinds figures = [](std::string_view kind) {
        return kind == "rank" || kind == "profile" || kind == "part";
    };
    if (const auto before = earlier(task, outcome.file, figures); before && allStand(*before)) {
        outcome.standing = files.size();
        outcome.isWritten = false;
        return outcome;
    }
    RunSummary run = earlier(task, outcome.file, {}).value_or(RunSummary());
    run.add(recordOf(task.part));
    std::vector<std::size_t> wanted;
    for (std::size_t at = 0; at < sources.size(); ++at) {
        if (stands(run, sources[at]))
            ++outcome.standing;
        else
            wanted.push_back(at);
    }

    std::vector<FileToSummarize> toRead;
    toRead.reserve(wanted.size());
    for (const std::size_t at : wanted)
        toRead.push_back({files[at], sources[at]});
    auto read = summarizeFiles(toRead, task.part.isRedacted, task.jobs, progress);
    if (!read)
        return cancelled();
    for (Summarized &one : *read) {
        for (SummarizedDevice &device : one.devices) {
            const RankSummary &summary = device.summary;
            if (summary.isUsable())
                ++outcome.devices;
            else if (summary.isRecording)
                outcome.unread.push_back({summary.source.path, summary.error});
            else
                ++outcome.others;
            run.add(device);
        }
        one = Summarized();
    }
    const std::string bytes = runFileBytes(run);
    outcome.bytes = static_cast<std::int64_t>(bytes.size());
    if (const Result<void> written = writeOutput(outcome.file, bytes); !written)
        return written.error();
    return outcome;
}

} // namespace vramscope
