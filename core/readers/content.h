// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/byte_source.h"
#include "core/readers/cancel_guard.h"
#include "core/readers/detect_format.h"

#include <memory>
#include <vector>

namespace vramscope {

/// A file without its wrapping (a zip archive, gzip, zstd, a page of HTML), ready for the reader of
/// its format. Wrappings are sources on top of each other; slow ones work ahead on a thread of
/// their own.
class Content
{
public:
    /// Unwraps and recognises the content of `source`; `progress` is asked while it is read, on
    /// this thread. An Error says what cannot be read and why.
    [[nodiscard]] static Result<std::unique_ptr<Content>>
    open(std::unique_ptr<SeekableSource> source, const Progress &progress);
    Content(const Content &) = delete;
    Content &operator=(const Content &) = delete;
    ~Content();

    [[nodiscard]] TraceFormat format() const { return m_format; }
    /// The bytes of the format, from their first on.
    [[nodiscard]] ByteWindow &window() { return *m_layers.back().window; }
    /// Ends the reading: fails if the bytes that were read are not one state of the file.
    [[nodiscard]] Result<void> verify();

private:
    struct Layer
    {
        std::unique_ptr<ByteSource> source;
        std::unique_ptr<ByteWindow> window;
    };
    explicit Content(const Progress &progress)
        : m_watch(progress)
    {
    }
    void addLayer(std::unique_ptr<ByteSource> source);
    [[nodiscard]] Result<void> unwrap(const Progress &progress);

    CancelGuard m_watch;
    std::vector<Layer> m_layers; // the file itself first
    TraceFormat m_format = TraceFormat::SnapshotPickle;
};

} // namespace vramscope
