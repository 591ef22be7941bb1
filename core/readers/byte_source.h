// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <any>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// Makes something of bytes before their turn, replacing what `made` holds; called on any thread.
/// It depends on the bytes alone; `kept` is what the same thread knows from earlier bytes.
using Look =
    std::function<void(std::span<const std::uint8_t> bytes, std::any &made, std::any &kept)>;

/// Bytes that a source keeps until it has lent two more times.
struct LentBytes
{
    std::span<std::byte> bytes; ///< none at the end
    std::any *made = nullptr;   ///< what a Look made of them; null if nothing looked
};

/// Bytes read from first to last. Reading instead of mapping: a mapped file that another program
/// cuts short kills the process that touches it, and a stream also fits compressed sources.
class ByteSource
{
public:
    virtual ~ByteSource() = default;

    /// The number of bytes to read; nothing if only reading shows it, as for compressed bytes.
    [[nodiscard]] virtual std::optional<std::int64_t> size() const = 0;
    /// Fills `into` from the front and returns the number of bytes; fewer than asked only at the
    /// end.
    [[nodiscard]] virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
    /// Lends the next bytes in place, with kLendRoom writable bytes before them; nothing if the
    /// source does not store them: then use read().
    static constexpr std::size_t kLendRoom = std::size_t(16) << 10;
    [[nodiscard]] virtual std::optional<Result<LentBytes>> lend() { return {}; }
    /// Has bytes looked at before they are lent, if the source can work ahead.
    virtual void lookWith(const Look & /*look*/) {}
    /// How much of the file has been read, from 0 to 1, whatever its bytes unfold to.
    [[nodiscard]] virtual double fraction() const = 0;
    /// The anomalies in the form of the bytes and in their wrapping, a sentence each; complete
    /// after the last read.
    [[nodiscard]] virtual std::vector<std::string> anomalies() const { return {}; }
    /// Called after the last read: fails if the bytes that were read are not one state of the
    /// source.
    [[nodiscard]] virtual Result<void> verify() { return {}; }
};

/// Bytes that are all in a file or in memory. Several threads may call readAt() at once.
class SeekableSource : public ByteSource
{
public:
    /// The bytes from a position, independent of read(); fewer than asked only at the end.
    [[nodiscard]] virtual Result<std::size_t> readAt(std::int64_t place,
                                                     std::span<std::byte> into) = 0;
    Result<std::size_t> read(std::span<std::byte> into) override;
    double fraction() const override;

private:
    std::int64_t m_position = 0; // of read()
};

/// Opens a regular file for reading. Errors: NotFound, Unreadable, NotAFile, Empty; read() and
/// verify() give Changed when the file changed since.
[[nodiscard]] Result<std::unique_ptr<SeekableSource>> openFile(const std::filesystem::path &file);

/// A source over bytes in memory, which must outlive it.
[[nodiscard]] std::unique_ptr<SeekableSource> memorySource(std::span<const std::byte> bytes);

class ByteWindow;
/// All bytes from the cursor on, at most `most`; `tooMany`: the Error if there are more. `progress`
/// covers the first half of the work.
[[nodiscard]] Result<std::string> wholeOf(ByteWindow &input, std::size_t most, const Error &tooMany,
                                          const Progress &progress);

/// A window that slides over a source. The bytes between cursor() and end() are in memory; ensure()
/// makes more of them. Pointers into the window are void after ensure().
class ByteWindow
{
public:
    /// What was made of bytes in the window.
    struct Seen
    {
        const std::any &made;
        const std::uint8_t *begin; ///< of the bytes that were looked at
        std::uint64_t number;      ///< differs for other bytes
    };

    /// Small enough to stay in a processor's own cache between reading and use.
    static constexpr std::size_t kDefaultSize = std::size_t(256) << 10;

    explicit ByteWindow(ByteSource &source, std::size_t size = kDefaultSize);

    [[nodiscard]] const std::uint8_t *cursor() const { return m_cursor; }
    [[nodiscard]] const std::uint8_t *end() const { return m_end; }
    [[nodiscard]] std::size_t available() const
    {
        return static_cast<std::size_t>(m_end - m_cursor);
    }
    void advance(std::size_t count) { m_cursor += count; }

    /// True when `count` bytes follow the cursor, reading as many as it takes. False at the end of
    /// the source or when reading failed (error()); nothing is reserved for bytes that do not
    /// exist.
    [[nodiscard]] bool ensure(std::size_t count) { return available() >= count || refill(count); }

    /// Position of the cursor in the source.
    [[nodiscard]] std::int64_t offset() const
    {
        return m_windowEnd - static_cast<std::int64_t>(available());
    }
    /// The bytes that are known to exist: all of them if the source knows its size, otherwise those
    /// that have arrived. Nothing else justifies memory.
    [[nodiscard]] std::int64_t size() const { return m_source.size().value_or(m_windowEnd); }
    /// How much of the file has been read, from 0 to 1.
    [[nodiscard]] double fraction() const { return m_source.fraction(); }
    /// The anomalies in the form of the bytes, complete at the end, followed by `further`.
    [[nodiscard]] std::vector<std::string>
    anomalies(std::span<const std::string> further = {}) const
    {
        std::vector<std::string> all = m_source.anomalies();
        all.insert(all.end(), further.begin(), further.end());
        return all;
    }
    /// The failure of reading, if any.
    [[nodiscard]] const Result<void> &status() const { return m_status; }

    /// From now on bytes are looked at, ahead of the cursor if the source can.
    void lookWith(Look look);
    /// What lookWith() made of the bytes at or near the cursor.
    [[nodiscard]] Seen seen()
    {
        if (m_seenBegin == nullptr)
            lookNow();
        return {*m_seen, m_seenBegin, m_seenNumber};
    }

private:
    bool refill(std::size_t count);
    bool readMore(std::size_t count);
    bool borrow(Result<LentBytes> lent, std::size_t kept);
    bool place(const std::byte *begin, std::size_t kept, const Result<std::size_t> &added);
    void lookNow();

    ByteSource &m_source;
    std::vector<std::byte> m_bytes; // if the source lends none
    std::size_t m_size;             // of m_bytes once they are needed
    bool m_isBorrowed = false;      // the bytes at the cursor
    Look m_look;
    std::any m_made; // if the source looks at nothing ahead
    std::any m_kept;
    std::any *m_seen = &m_made;
    const std::uint8_t *m_seenBegin = nullptr; // null: nothing was looked at yet
    std::uint64_t m_seenNumber = 0;
    const std::uint8_t *m_cursor = nullptr;
    const std::uint8_t *m_end = nullptr;
    std::int64_t m_windowEnd = 0; // position of m_end in the source
    bool m_atEnd = false;
    Result<void> m_status;
};

} // namespace vramscope
