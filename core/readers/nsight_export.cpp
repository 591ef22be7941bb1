// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/readers/cancel_guard.h"
#include "core/readers/nsight_names.h"
#include "core/readers/nsight_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <string>

// What all tables share, the export's facts about itself, and the order in which its tables are
// read.

namespace vramscope {

using namespace std::string_view_literals;

namespace nsight {

std::uint32_t ExportReader::thread(std::int64_t globalTid)
{
    if (globalTid == m_lastGlobalTid)
        return m_lastThread;
    const auto [found, isNew] = m_threads.try_emplace(globalTid, 0);
    if (isNew)
        found->second = globalTid == kNoNumber
                            ? m_builder.thread("", "")
                            : m_builder.thread(std::to_string(processOf(globalTid)),
                                               std::to_string(threadOf(globalTid)));
    m_lastGlobalTid = globalTid;
    return m_lastThread = found->second;
}

bool ExportReader::isOfStepProcess(std::int64_t globalTid)
{
    const std::int64_t process = processOf(globalTid);
    if (m_stepProcess == kNoNumber)
        m_stepProcess = process;
    return m_stepProcess == process;
}

std::int64_t ExportReader::correlation(std::int64_t globalPid, std::int64_t own)
{
    constexpr std::int64_t kProcess = std::int64_t(1) << 40;
    constexpr std::size_t kMost = std::size_t(1) << 20;
    if (own < 0 || own >= kProcess)
        return kNotStated;
    const std::int64_t process = processOf(globalPid);
    if (m_lastProcess >= m_processes.size() || m_processes[m_lastProcess] != process) {
        const auto found = std::ranges::find(m_processes, process);
        m_lastProcess = static_cast<std::size_t>(found - m_processes.begin());
        if (found == m_processes.end()) {
            if (m_processes.size() == kMost)
                return kNotStated;
            m_processes.push_back(process);
        }
    }
    return static_cast<std::int64_t>(m_lastProcess) * kProcess + own;
}

Result<void> ExportReader::readFacts()
{
    constexpr std::int64_t kMost = 200;
    std::int64_t facts = 0;
    static constexpr SqliteColumns kFact{"name", "value"};
    for (const std::string_view table : {"META_DATA_EXPORT"sv, "EXPORT_META_DATA"sv}) {
        auto read = forEachRow(table, kFact, [&](SqliteRow row) {
            constexpr std::size_t kLongest = 4096;
            const std::string_view name = row.text(kFact["name"]);
            if (name.empty() || ++facts > kMost)
                return;
            const nlohmann::ordered_json value(
                std::string(firstBytes(row.text(kFact["value"]), kLongest)));
            m_builder.addFact(name, jsonText(value));
        });
        if (!read.ok())
            return read;
    }
    std::int64_t base = kNoNumber;
    auto read = forEachRow("TARGET_INFO_SESSION_START_TIME", SqliteColumns("utcEpochNs"),
                           [&](SqliteRow row) { base = base == kNoNumber ? row.number(0) : base; });
    m_builder.setBase(base == kNoNumber ? 0 : base,
                      base == kNoNumber ? Clock::Relative : Clock::Epoch);
    return read;
}

Result<void> ExportReader::readNames()
{
    auto strings = Strings::read(m_file);
    if (!strings.ok())
        return strings.error();
    m_strings = std::move(*strings);
    m_count += static_cast<std::int64_t>(m_strings.count());
    auto devices = Devices::read(m_file);
    if (!devices.ok())
        return devices.error();
    m_devices = std::move(*devices);
    return readThreadNames();
}

Result<void> ExportReader::readThreadNames()
{
    static constexpr SqliteColumns kName{"nameId", "globalTid"};
    return forEachRow("ThreadNames", kName, [&](SqliteRow row) {
        const std::int64_t thread = row.number(kName["globalTid"]);
        const std::string_view name = m_strings.text(row.number(kName["nameId"]));
        if (thread != kNoNumber && !name.empty())
            m_builder.nameThread(std::to_string(processOf(thread)),
                                 std::to_string(threadOf(thread)), m_builder.internText(name));
    });
}

/// Nsight's own complaints: they say why a recording has no kernels.
Result<void> ExportReader::readDiagnostics()
{
    static constexpr SqliteColumns kDiagnostic{"severity", "text"};
    constexpr std::int64_t kWarning = 2;
    constexpr std::int64_t kError = 3;
    constexpr std::int64_t kMost = 20;
    std::int64_t count = 0;
    return forEachRow("DIAGNOSTIC_EVENT", kDiagnostic, [&](SqliteRow row) {
        const std::int64_t severity = row.number(kDiagnostic["severity"]);
        if ((severity != kWarning && severity != kError) || ++count > kMost)
            return;
        constexpr std::size_t kLongest = 300;
        m_builder.addProblem("Nsight Systems " +
                             std::string(severity == kError ? "met an error" : "warns") + ": " +
                             excerpt(trimmed(row.text(kDiagnostic["text"])), kLongest));
    });
}

/// Waits for the host side; false once reading is given up.
bool ExportReader::isHostFinished()
{
    constexpr std::chrono::milliseconds kWait{20};
    while (m_host.wait_for(kWait) == std::future_status::timeout)
        m_isGivenUp = m_isGivenUp || !m_tick();
    return m_host.get();
}

Result<std::shared_ptr<const Profile>> ExportReader::read()
{
    constexpr Reading kInOrder[] = {
        &ExportReader::readFacts,     &ExportReader::readNames,   &ExportReader::readRanges,
        &ExportReader::readCalls,     &ExportReader::readKernels, &ExportReader::readCopies,
        &ExportReader::readFills,     &ExportReader::readGraphs,  &ExportReader::readWaits,
        &ExportReader::readOverheads, &ExportReader::readMemory,  &ExportReader::readDiagnostics};
    for (const Reading reading : kInOrder) {
        if (auto read = (this->*reading)(); !read.ok())
            return read.error();
    }
    if (!isHostFinished())
        return readingCancelled();
    m_devices.describe(m_builder);
    m_builder.setEventCount(m_count);
    m_strings = {};
    auto profile = m_builder.finish(m_tick);
    if (!profile)
        return readingCancelled();
    return profile;
}

namespace {

/// Whether Nsight Systems wrote the file: it has its texts, and some recorded table.
bool isOfNsight(const SqliteFile &file)
{
    constexpr std::array kSigns{kKernels,
                                kCopies,
                                kFills,
                                kCalls,
                                kRanges,
                                "TARGET_INFO_SESSION_START_TIME"sv,
                                "ANALYSIS_DETAILS"sv};
    return file.has(kTexts) &&
           std::ranges::any_of(kSigns, [&](std::string_view table) { return file.has(table); });
}

} // namespace

} // namespace nsight

Result<std::shared_ptr<const Profile>> readNsightExport(SeekableSource &source,
                                                        const Progress &progress)
{
    const Progress reading = partOf(progress, 0, nsight::kReading);
    const auto file = SqliteFile::open(source, reading);
    if (!file.ok())
        return file.error();
    if (!nsight::isOfNsight(**file))
        return Error{ErrorCode::OtherContent,
                     "This is an SQLite database, but none that nsys exported: it lacks the tables "
                     "of Nsight Systems. Open what \"nsys export --type sqlite\" wrote."};
    return nsight::ExportReader(**file, progress).read();
}

} // namespace vramscope
