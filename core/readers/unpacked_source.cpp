// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sources.h"

#include "core/readers/detect_format.h"

#include <array>

namespace vramscope {

namespace {

/// A packed file with its decompressor.
class UnpackedSource : public ByteSource
{
public:
    UnpackedSource(std::unique_ptr<SeekableSource> file, Compression form)
        : m_file(std::move(file))
        , m_window(*m_file)
        , m_unfolded(inflatingSource(m_window, form))
    {
    }

    [[nodiscard]] std::optional<std::int64_t> size() const override { return {}; }
    [[nodiscard]] Result<std::size_t> read(std::span<std::byte> into) override
    {
        return m_unfolded->read(into);
    }
    [[nodiscard]] double fraction() const override { return m_unfolded->fraction(); }
    [[nodiscard]] std::vector<std::string> anomalies() const override
    {
        return m_unfolded->anomalies();
    }
    [[nodiscard]] Result<void> verify() override { return m_file->verify(); }

private:
    std::unique_ptr<SeekableSource> m_file;
    ByteWindow m_window;
    std::unique_ptr<ByteSource> m_unfolded;
};

} // namespace

Result<std::unique_ptr<ByteSource>> openUnpacked(const std::filesystem::path &path)
{
    Result<std::unique_ptr<SeekableSource>> file = openFile(path);
    if (!file.ok())
        return file.error();
    constexpr std::size_t kMarks = 16; // the first four bytes identify both formats
    std::array<std::byte, kMarks> start{};
    const Result<std::size_t> count = (*file)->readAt(0, start);
    if (!count.ok())
        return count.error();
    const Result<TraceFormat> format =
        detectFormat({reinterpret_cast<const std::uint8_t *>(start.data()), *count}, false);
    if (format.ok() && *format == TraceFormat::Gzip)
        return std::unique_ptr<ByteSource>(
            std::make_unique<UnpackedSource>(std::move(*file), Compression::Gzip));
    if (format.ok() && *format == TraceFormat::Zstandard)
        return std::unique_ptr<ByteSource>(
            std::make_unique<UnpackedSource>(std::move(*file), Compression::Zstd));
    return std::unique_ptr<ByteSource>(std::move(*file));
}

} // namespace vramscope
