// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/detect_format.h"

#include "core/base/foreign_files.h"
#include "core/base/own_document.h"
#include "core/readers/formats.h"
#include "core/readers/pickle_opcodes.h"
#include "core/readers/sqlite_file.h"
#include "core/readers/utf8.h"

#include <algorithm>
#include <string_view>

using namespace std::string_view_literals;

namespace vramscope {

namespace {

constexpr auto kRemedy = "open a memory snapshot from torch.cuda.memory._dump_snapshot() instead"sv;

/// A format by its first bytes.
struct Signature
{
    std::string_view start;
    TraceFormat format;
};

constexpr Signature kSignatures[] = {
    {"\x1F\x8B"sv, TraceFormat::Gzip},
    {"\x28\xB5\x2F\xFD"sv, TraceFormat::Zstandard},
};

/// Pickles of protocol 0 and 1 begin with their container.
constexpr std::string_view kOldPickles[] = {"(dp", "(dS", "(dV", "(d.", "(lp", "(l(", "(l.",
                                            "}q",  "}(",  "}.",  "]q",  "](",  "]."};

bool isSkippableZstdFrame(std::string_view text)
{
    return text.size() > 3 && (static_cast<unsigned char>(text[0]) & 0xF0) == 0x50 &&
           text.substr(1).starts_with("\x2A\x4D\x18"sv);
}

/// foreignFile() recognises archives of programs that keep their own documents in them.
bool isZip(std::string_view text)
{
    constexpr std::size_t kFirstName = 200;
    const bool begins = text.starts_with("PK\x03\x04"sv) || text.starts_with("PK\x05\x06"sv);
    return begins && text.substr(0, kFirstName).find("/data.pkl"sv) == std::string_view::npos &&
           text.find("allocations.json"sv) == std::string_view::npos;
}

/// Protocol messages without a magic number: the profiles of pprof, which JAX writes, begin with
/// their sample types, two short numbers each.
bool looksLikePprof(std::string_view text)
{
    return text.size() > 6 && text[0] == '\x0A' && text[1] <= 6 && text[1] > 1 &&
           text[2] == '\x08' && text[static_cast<std::size_t>(text[1]) + 2] == '\x0A';
}

/// Recognises an SQLite database by the tables on its first page. A schema of several pages, such
/// as Nsight's usually, is left to the reader.
Result<TraceFormat> detectSqlite(std::string_view text)
{
    constexpr std::size_t kFirstPage = 100; // its header
    constexpr char kInteriorPage = 5;
    constexpr std::string_view kTables[] = {"StringIds"sv, "CUPTI_ACTIVITY_KIND_"sv,
                                            "NVTX_EVENTS"sv};
    const bool hasTables = std::ranges::any_of(
        kTables, [&](std::string_view table) { return text.find(table) != text.npos; });
    if (hasTables || (text.size() > kFirstPage && text[kFirstPage] == kInteriorPage))
        return TraceFormat::NsightExport;
    return Error{ErrorCode::OtherContent,
                 "This is an SQLite database, but none that nsys exported: it lacks the tables of "
                 "Nsight Systems. Open what \"nsys export --type sqlite\" wrote."};
}

bool isText(std::string_view start)
{
    return std::ranges::none_of(start, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\x1B';
    });
}

Error nsightComputeReport()
{
    return {ErrorCode::Unsupported,
            "This is a report of Nsight Compute, which only Nsight reads; its table comes out of "
            "\"ncu --import X.ncu-rep --csv --page raw\"."};
}

Result<TraceFormat> detectPickle(int protocol)
{
    if (protocol <= pickle::kNewestProtocol)
        return TraceFormat::SnapshotPickle;
    return Error{ErrorCode::Unsupported, "This looks like a pickle of protocol " +
                                             std::to_string(protocol) +
                                             "; write it again with protocol 5 or less."};
}

Result<TraceFormat> detectText(std::string_view text, bool isWhole)
{
    const std::string_view content =
        text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    constexpr std::pair<OwnDocument, const char *> kOwn[] = {
        {OwnDocument::Plan, "This is a VRAMscope plan, not a trace; open it as a plan."},
        {OwnDocument::Session, "This holds the bookmarks of a recording, not a trace; open the "
                               "recording beside it."},
        {OwnDocument::Report, "This is a report of VRAMscope, not a recording; open the recording "
                              "that it is about. What it holds of a plan opens as a plan."}};
    for (const auto &[document, detail] : kOwn) {
        if (document == ownDocument(content))
            return Error{ErrorCode::OtherContent, detail};
    }
    if (looksLikeServingLog(text))
        return Error{ErrorCode::OtherContent,
                     "This is what a serving engine logged while it started, not a recording; "
                     "\"vramscope-cli serving-log\" reads it, and the window opens it."};
    if (looksLikeSmiQuery(content))
        return TraceFormat::SmiLog;
    if (content.starts_with('<'))
        return TraceFormat::HtmlPage;
    if (beginsJson(content))
        return detectJson(content, isWhole);
    // Tested first, by the header: rows can look like those of a log without one, as nanoseconds
    // from 1 s on have as many digits as seconds since 1970.
    if (looksLikeProfilerTable(text))
        return TraceFormat::ProfilerTable;
    if (looksLikeSmiLog(text))
        return TraceFormat::SmiLog;
    if (isText(text))
        return Error{ErrorCode::NotRecognized,
                     "This is a text file, not a trace; open a snapshot that "
                     "torch.cuda.memory._dump_snapshot() wrote, a trace of torch.profiler or a "
                     "log of nvidia-smi."};
    for (const std::string_view mark : {"Nsight"sv, "NVIDIA Tegra Profiler"sv, "QuadD"sv}) {
        if (text.find(mark) != std::string_view::npos)
            return nsightReport();
    }
    return Error{ErrorCode::NotRecognized,
                 "This is none of the known formats; open a snapshot that "
                 "torch.cuda.memory._dump_snapshot() wrote."};
}

} // namespace

Error nsightReport()
{
    return {ErrorCode::Unsupported,
            "This is a report of Nsight Systems, which only Nsight reads; export it with \"nsys "
            "export --type sqlite --output X.sqlite X.nsys-rep\" and open X.sqlite."};
}

namespace {

/// Summaries of ranks, written by core/ranks: gzip with an extra field "VR" in its header.
bool isSummaries(std::string_view text)
{
    constexpr std::size_t kField = 12; // after the header and the length of the extra field
    return text.starts_with("\x1F\x8B\x08\x04"sv) && text.size() > kField &&
           text.substr(kField).starts_with("VR");
}

} // namespace

Result<TraceFormat> detectFormat(std::span<const std::uint8_t> start, bool isWhole)
{
    if (start.empty())
        return Error{ErrorCode::Empty, "The file is empty: the program that wrote it stopped "
                                       "before the first byte; record the snapshot again."};
    if (start[0] == 0x80 && start.size() > 1)
        return detectPickle(start[1]);
    const std::string_view text(reinterpret_cast<const char *>(start.data()), start.size());
    if (isSummaries(text))
        return Error{ErrorCode::OtherContent,
                     "These are summaries of the ranks of a run; vramscope-cli diff tells what "
                     "stands out in them."};
    for (const Signature &signature : kSignatures) {
        if (text.starts_with(signature.start))
            return signature.format;
    }
    if (std::ranges::any_of(kOldPickles,
                            [&](std::string_view pickle) { return text.starts_with(pickle); }))
        return TraceFormat::SnapshotPickle;
    if (isSkippableZstdFrame(text))
        return TraceFormat::Zstandard;
    if (isZip(text))
        return TraceFormat::Zip;
    if (const auto narrow = textOfUtf16(text); narrow && looksLikeProfilerTable(*narrow))
        return TraceFormat::ProfilerTable;
    else if (narrow && looksLikeSmiLog(*narrow))
        return TraceFormat::SmiLog;
    if (text.starts_with(SqliteFile::kSignature))
        return detectSqlite(text);
    if (text.starts_with("NVR\0"sv))
        return nsightComputeReport();
    if (auto foreign = foreignFile(text, kRemedy))
        return Error{ErrorCode::Unsupported, std::move(*foreign)};
    if (looksLikePprof(text))
        return Error{ErrorCode::Unsupported,
                     "This is a profile of pprof, such as JAX writes of device memory, which has "
                     "no time axis; open it with pprof."};
    return detectText(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text, isWhole);
}

} // namespace vramscope
