// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sources.h"

#include <algorithm>
#include <limits>

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

namespace vramscope {

namespace {

constexpr const char *kBytesAfterEnd = "Bytes after the end of the compressed data.";

Error damagedStream(const char *what)
{
    return {ErrorCode::Malformed, std::string("The compressed data is damaged (") + what +
                                      "); copy the file again or record it again."};
}

Error endsEarly()
{
    return {ErrorCode::Truncated, "The file ends before its compressed data does: it was not "
                                  "written or copied to the end; copy it again or record it "
                                  "again."};
}

/// What both formats share: the source of compressed bytes and the limit on their expansion.
class InflatingSource : public ByteSource
{
public:
    explicit InflatingSource(ByteWindow &input)
        : m_in(input)
        , m_start(input.offset())
    {
    }

    std::optional<std::int64_t> size() const final { return {}; }
    double fraction() const final { return m_in.fraction(); }
    std::vector<std::string> anomalies() const final { return m_in.anomalies(m_anomalies); }
    Result<std::size_t> read(std::span<std::byte> into) final;

protected:
    /// Unfolds some of the available input into `out` and returns the number of bytes; 0 if it
    /// needs more input. Sets m_streamEnded when a stream is complete.
    virtual Result<std::size_t> inflateSome(std::span<std::byte> out) = 0;
    /// True if another stream begins at the cursor.
    virtual bool beginsStream() = 0;

    ByteWindow &m_in;
    bool m_streamEnded = false;

private:
    Result<bool> nextStream();
    [[nodiscard]] bool expandsTooFar() const
    {
        return m_produced > kFreeExpansion && m_produced / kMostExpansion > m_in.offset() - m_start;
    }

    std::int64_t m_start;
    std::int64_t m_produced = 0;
    bool m_atEnd = false;
    std::vector<std::string> m_anomalies;
};

Result<std::size_t> InflatingSource::read(std::span<std::byte> into)
{
    std::size_t done = 0;
    while (done < into.size() && !m_atEnd) {
        if (m_streamEnded) {
            const auto another = nextStream();
            if (!another.ok())
                return another.error();
            m_atEnd = !*another;
            continue;
        }
        const bool hasInput = m_in.ensure(1);
        if (!m_in.status().ok())
            return m_in.status().error();
        const auto count = inflateSome(into.subspan(done));
        if (!count.ok())
            return count.error();
        if (*count == 0 && !hasInput && !m_streamEnded)
            return endsEarly();
        done += *count;
        m_produced += static_cast<std::int64_t>(*count);
        if (expandsTooFar())
            return Error{ErrorCode::Refused,
                         "The file unfolds to more than " + std::to_string(kMostExpansion) +
                             " times its size, which no recording does; unpack it yourself if "
                             "you trust it."};
    }
    return done;
}

/// Whether another stream follows the finished one. Zeros may pad the end.
Result<bool> InflatingSource::nextStream()
{
    while (m_in.ensure(1) && *m_in.cursor() == 0)
        m_in.advance(1);
    (void)m_in.ensure(4); // enough to recognise a stream
    if (!m_in.status().ok())
        return m_in.status().error();
    if (m_in.available() == 0)
        return false;
    if (!beginsStream()) {
        m_anomalies.emplace_back(kBytesAfterEnd);
        return false;
    }
    m_streamEnded = false;
    return true;
}

class GzipSource final : public InflatingSource
{
public:
    explicit GzipSource(ByteWindow &input)
        : InflatingSource(input)
    {
        constexpr int kGzipOnly = 16;
        m_ready = inflateInit2(&m_stream, MAX_WBITS + kGzipOnly) == Z_OK;
    }
    GzipSource(const GzipSource &) = delete;
    GzipSource &operator=(const GzipSource &) = delete;
    ~GzipSource() override
    {
        if (m_ready)
            inflateEnd(&m_stream);
    }

private:
    Result<std::size_t> inflateSome(std::span<std::byte> out) override;
    bool beginsStream() override
    {
        return m_in.available() >= 2 && m_in.cursor()[0] == 0x1F && m_in.cursor()[1] == 0x8B &&
               inflateReset(&m_stream) == Z_OK;
    }

    z_stream m_stream{};
    bool m_ready = false;
};

Result<std::size_t> GzipSource::inflateSome(std::span<std::byte> out)
{
    if (!m_ready)
        return Error{ErrorCode::Unreadable, "There is not enough memory to unpack the file."};
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const std::size_t given = std::min(m_in.available(), kMost);
    const std::size_t room = std::min(out.size(), kMost);
    m_stream.next_in = const_cast<Bytef *>(m_in.cursor()); // zlib only reads it
    m_stream.avail_in = static_cast<uInt>(given);
    m_stream.next_out = reinterpret_cast<Bytef *>(out.data());
    m_stream.avail_out = static_cast<uInt>(room);
    const int result = inflate(&m_stream, Z_NO_FLUSH);
    m_in.advance(given - m_stream.avail_in);
    m_streamEnded = result == Z_STREAM_END;
    // Z_BUF_ERROR only means that more input is needed.
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return damagedStream(m_stream.msg ? m_stream.msg : "no gzip stream");
    return room - m_stream.avail_out;
}

class ZstdSource final : public InflatingSource
{
public:
    explicit ZstdSource(ByteWindow &input)
        : InflatingSource(input)
        , m_stream(ZSTD_createDStream())
    {
    }
    ZstdSource(const ZstdSource &) = delete;
    ZstdSource &operator=(const ZstdSource &) = delete;
    ~ZstdSource() override { ZSTD_freeDStream(m_stream); }

private:
    Result<std::size_t> inflateSome(std::span<std::byte> out) override;
    bool beginsStream() override
    {
        if (m_in.available() < 4)
            return false;
        const std::uint8_t *at = m_in.cursor();
        const bool isFrame = at[0] == 0x28 && at[1] == 0xB5 && at[2] == 0x2F && at[3] == 0xFD;
        const bool isSkipped =
            (at[0] & 0xF0) == 0x50 && at[1] == 0x2A && at[2] == 0x4D && at[3] == 0x18;
        return isFrame || isSkipped;
    }

    ZSTD_DStream *m_stream;
};

Result<std::size_t> ZstdSource::inflateSome(std::span<std::byte> out)
{
    if (!m_stream)
        return Error{ErrorCode::Unreadable, "There is not enough memory to unpack the file."};
    ZSTD_inBuffer from{m_in.cursor(), m_in.available(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t result = ZSTD_decompressStream(m_stream, &to, &from);
    m_in.advance(from.pos);
    if (ZSTD_isError(result)) {
        if (ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge)
            return Error{ErrorCode::Unsupported,
                         "The file was compressed with a window of more than 128 MiB; unpack it "
                         "with \"zstd -d --long=31\" and open the result."};
        return damagedStream(ZSTD_getErrorName(result));
    }
    m_streamEnded = result == 0;
    return to.pos;
}

} // namespace

std::unique_ptr<ByteSource> inflatingSource(ByteWindow &input, Compression form)
{
    if (form == Compression::Gzip)
        return std::make_unique<GzipSource>(input);
    return std::make_unique<ZstdSource>(input);
}

} // namespace vramscope
