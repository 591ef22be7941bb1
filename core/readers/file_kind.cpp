// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/file_kind.h"

#include "core/base/own_document.h"
#include "core/base/text_file.h"
#include "core/readers/detect_format.h"
#include "core/readers/detect_text.h"

#include <cstdint>
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
    return identify(std::string_view(*text).substr(0, kDetectionBytes),
                    text->size() <= kDetectionBytes);
}

} // namespace vramscope
