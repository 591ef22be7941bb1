// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/file_kind.h"

#include "core/base/own_document.h"
#include "core/base/path_text.h"
#include "core/base/text_file.h"
#include "core/readers/detect_format.h"
#include "core/readers/sources.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

namespace vramscope {

namespace {

FileKind kindOfFormat(TraceFormat format)
{
    switch (format) {
    case TraceFormat::SnapshotPickle:
    case TraceFormat::SnapshotJson:
    case TraceFormat::AllocationPlot:
        return FileKind::Snapshot;
    case TraceFormat::ChromeTrace:
    case TraceFormat::NsightExport:
    case TraceFormat::MemoryTimeline:
    case TraceFormat::RawMemoryTimeline:
        return FileKind::Curves;
    case TraceFormat::SmiLog:
        return FileKind::SmiLog;
    case TraceFormat::ProfilerTable:
        return FileKind::Tables;
    case TraceFormat::Gzip:
    case TraceFormat::Zstandard:
    case TraceFormat::Zip:
    case TraceFormat::HtmlPage:
        break;
    }
    return FileKind::Packed;
}

/// Whether a file that gzip or Zstandard packed holds a log: its content begins like one.
bool packsServingLog(const std::filesystem::path &file)
{
    const Result<std::unique_ptr<ByteSource>> source = openUnpacked(file);
    if (!source.ok())
        return false;
    ByteWindow window(**source);
    (void)window.ensure(kDetectionBytes); // as much as there is
    return looksLikeServingLog(std::string_view(reinterpret_cast<const char *>(window.cursor()),
                                                std::min(window.available(), kDetectionBytes)));
}

} // namespace

FileKind identify(std::string_view start, bool isWhole)
{
    switch (ownDocument(start)) {
    case OwnDocument::Plan:
        return FileKind::Plan;
    case OwnDocument::Session:
        return FileKind::Session;
    case OwnDocument::Report:
        return FileKind::Report;
    case OwnDocument::None:
        break;
    }
    if (looksLikeServingLog(start))
        return FileKind::ServingLog;
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(start.data());
    const Result<TraceFormat> format = detectFormat({bytes, start.size()}, isWhole);
    return format.ok() ? kindOfFormat(*format) : FileKind::Other;
}

FileKind identifyFile(const std::filesystem::path &file)
{
    const Result<std::string> text = readTextFile(file, kDetectionBytes);
    if (!text.ok())
        return FileKind::Other;
    const FileKind kind = identify(std::string_view(*text).substr(0, kDetectionBytes),
                                   text->size() <= kDetectionBytes);
    return kind == FileKind::Packed && packsServingLog(file) ? FileKind::ServingLog : kind;
}

namespace {

/// Whether recordings have such a name, compressed or not.
bool isNamedAsRecording(const std::string &file)
{
    std::filesystem::path name = pathOf(file).filename();
    constexpr std::array kPacked{".gz", ".zst", ".xz", ".bz2", ".lz4"};
    constexpr std::array kRecordings{".pickle", ".pkl", ".json", ".html", ".htm", ".csv"};
    if (std::ranges::find(kPacked, name.extension().string()) != kPacked.end())
        name = name.stem();
    return std::ranges::find(kRecordings, name.extension().string()) != kRecordings.end();
}

} // namespace

bool isNoRecording(const std::string &file, const Error &error)
{
    switch (error.code) {
    case ErrorCode::Unsupported: // a recording by its name: the error says what to do
        return !isNamedAsRecording(file);
    case ErrorCode::NotRecognized:
    case ErrorCode::OtherContent:
    case ErrorCode::Refused: // a pickle of something else: a model, a tokenizer
        return true;
    case ErrorCode::Empty: // unlike an __init__.py, an empty recording is an error
        return !file.ends_with(".pickle") && !file.ends_with(".pkl");
    default:
        return false;
    }
}

} // namespace vramscope
