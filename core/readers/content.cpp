// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/content.h"

#include "core/readers/sources.h"

#include <algorithm>

namespace vramscope {

namespace {

// A smaller file is read before a thread starts.
constexpr std::int64_t kWorthAThread = std::int64_t(1) << 20;

Result<TraceFormat> formatOf(ByteWindow &window)
{
    if (window.ensure(1)) // and as much as there is
        (void)window.ensure(kDetectionBytes);
    if (!window.status().ok())
        return window.status().error();
    const std::size_t count = std::min(window.available(), kDetectionBytes);
    return detectFormat({window.cursor(), count}, count == window.available());
}

/// The content of the file: for a zip archive the recording in it. An archive lists its files at
/// its end, so it is opened before anything is read in order.
Result<std::unique_ptr<ByteSource>> opened(std::unique_ptr<SeekableSource> file)
{
    std::vector<std::byte> start(kDetectionBytes);
    const auto count = file->readAt(0, start);
    if (!count.ok())
        return count.error();
    const auto format = detectFormat({reinterpret_cast<const std::uint8_t *>(start.data()), *count},
                                     *count < start.size());
    if (format.ok() && *format == TraceFormat::Zip)
        return zippedRecording(std::move(file));
    return std::unique_ptr<ByteSource>(std::move(file));
}

} // namespace

Content::~Content()
{
    m_watch.giveUp();
    while (!m_layers.empty()) // the last first: it reads from the one before
        m_layers.pop_back();
}

void Content::addLayer(std::unique_ptr<ByteSource> source)
{
    auto window = std::make_unique<ByteWindow>(*source);
    m_layers.push_back({std::move(source), std::move(window)});
}

Result<std::unique_ptr<Content>> Content::open(std::unique_ptr<SeekableSource> file,
                                               const Progress &progress)
{
    std::unique_ptr<Content> content(new Content(progress));
    auto source = opened(std::move(file));
    if (!source.ok())
        return source.error();
    auto watched = cancellableSource(std::move(*source), content->m_watch);
    // Copying out of the system's cache takes about as long as reading the copied bytes.
    const bool large = watched->size().value_or(kWorthAThread) >= kWorthAThread;
    content->addLayer(large ? readAhead(std::move(watched), content->m_watch) : std::move(watched));
    const auto unwrapped = content->unwrap(progress);
    // A file that is still being written looks damaged; report the change first.
    if (!unwrapped.ok() && unwrapped.error().code != ErrorCode::Cancelled) {
        if (const auto verified = content->verify(); !verified.ok())
            return verified.error();
    }
    if (!unwrapped.ok())
        return unwrapped.error();
    return content;
}

Result<void> Content::unwrap(const Progress &progress)
{
    bool compressed = false;
    bool embedded = false;
    for (;;) {
        const auto format = formatOf(window());
        if (!format.ok())
            return format.error();
        m_format = *format;
        if (m_format == TraceFormat::Gzip || m_format == TraceFormat::Zstandard) {
            if (compressed)
                return Error{ErrorCode::Unsupported,
                             "This file was compressed twice; unpack it once and open the result."};
            compressed = true;
            addLayer(readAhead(inflatingSource(window(), m_format == TraceFormat::Gzip
                                                             ? Compression::Gzip
                                                             : Compression::Zstd),
                               m_watch));
        } else if (m_format == TraceFormat::Zip) {
            return Error{ErrorCode::Unsupported, "This file is a zip archive that was compressed "
                                                 "once more; unpack it once and open the result."};
        } else if (m_format == TraceFormat::HtmlPage) {
            if (embedded)
                return Error{ErrorCode::Unsupported,
                             "This page of PyTorch's memory viewer holds another page, not a "
                             "snapshot; open the snapshot that it was made from."};
            embedded = true;
            const auto found = findEmbedded(window(), progress);
            if (!found.ok())
                return found.error();
            if (*found == Embedded::AllocationPlot) {
                m_format = TraceFormat::AllocationPlot;
                return {};
            }
            addLayer(readAhead(base64Source(window()), m_watch));
        } else {
            return {};
        }
    }
}

Result<void> Content::verify()
{
    m_watch.giveUp(); // nobody waits for the rest of the unfolding
    for (auto layer = m_layers.rbegin(); layer != m_layers.rend(); ++layer) {
        if (auto verified = layer->source->verify(); !verified.ok())
            return verified;
    }
    return {};
}

} // namespace vramscope
