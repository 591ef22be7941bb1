// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/byte_source.h"

#include "core/base/descriptor.h"
#include "core/readers/cancel_guard.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace vramscope {

namespace {

Error changed()
{
    return {ErrorCode::Changed,
            "The file changed while it was read; open it again when it is complete."};
}

class FileSource final : public SeekableSource
{
public:
    explicit FileSource(RegularFile file)
        : m_file(std::move(file))
    {
    }

    std::optional<std::int64_t> size() const override { return m_file.status.size; }
    Result<std::size_t> readAt(std::int64_t place, std::span<std::byte> into) override;
    Result<void> verify() override;

private:
    RegularFile m_file;
};

Result<std::size_t> FileSource::readAt(std::int64_t place, std::span<std::byte> into)
{
    const std::int64_t size = m_file.status.size;
    const std::int64_t left = size - std::min<std::int64_t>(place, size);
    const auto wanted = std::min(into.size(), static_cast<std::size_t>(left));
    std::size_t done = 0;
    while (done < wanted) {
        const std::ptrdiff_t count =
            vramscope::readAt(m_file.descriptor.number(), place + static_cast<std::int64_t>(done),
                              into.subspan(done, wanted - done));
        if (count < 0)
            return unreadable(errno);
        if (count == 0) // shorter than it was when it was opened
            return changed();
        done += static_cast<std::size_t>(count);
    }
    return done;
}

Result<void> FileSource::verify()
{
    const auto now = statusOf(m_file.descriptor.number());
    if (!now)
        return unreadable(errno);
    if (now->size != m_file.status.size || now->modified != m_file.status.modified)
        return changed();
    return {};
}

class MemorySource final : public SeekableSource
{
public:
    explicit MemorySource(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    std::optional<std::int64_t> size() const override
    {
        return static_cast<std::int64_t>(m_bytes.size());
    }
    Result<std::size_t> readAt(std::int64_t place, std::span<std::byte> into) override
    {
        const std::size_t from = std::min(static_cast<std::size_t>(place), m_bytes.size());
        const std::size_t count = std::min(into.size(), m_bytes.size() - from);
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(from), count, into.begin());
        return count;
    }

private:
    std::span<const std::byte> m_bytes;
};

} // namespace

Result<std::size_t> SeekableSource::read(std::span<std::byte> into)
{
    auto done = readAt(m_position, into);
    m_position += done.ok() ? static_cast<std::int64_t>(*done) : 0;
    return done;
}

double SeekableSource::fraction() const
{
    const auto all = static_cast<double>(size().value_or(0));
    return all > 0 ? static_cast<double>(m_position) / all : 1.0;
}

Result<std::unique_ptr<SeekableSource>> openFile(const std::filesystem::path &file)
{
    Result<RegularFile> opened = openRegular(file);
    if (!opened)
        return opened.error();
    if (opened->status.size == 0)
        return Error{ErrorCode::Empty, "The file is empty: the program that wrote it stopped "
                                       "before the first byte; record the snapshot again."};
    expectWholeRead(opened->descriptor.number());
    return std::unique_ptr<SeekableSource>(std::make_unique<FileSource>(std::move(*opened)));
}

std::unique_ptr<SeekableSource> memorySource(std::span<const std::byte> bytes)
{
    return std::make_unique<MemorySource>(bytes);
}

Result<std::string> wholeOf(ByteWindow &input, std::size_t most, const Error &tooMany,
                            const Progress &progress)
{
    std::string bytes;
    while (input.available() > 0 || input.ensure(1)) {
        if (progress && !progress(input.fraction() / 2))
            return readingCancelled();
        if (bytes.size() + input.available() > most)
            return tooMany;
        bytes.append(reinterpret_cast<const char *>(input.cursor()), input.available());
        input.advance(input.available());
    }
    if (!input.status().ok())
        return input.status().error();
    return bytes;
}

ByteWindow::ByteWindow(ByteSource &source, std::size_t size)
    : m_source(source)
{
    constexpr std::int64_t kLeast = 16;
    const auto wanted = std::max(kLeast, static_cast<std::int64_t>(size));
    const std::int64_t useful = std::max(kLeast, source.size().value_or(wanted));
    m_size = static_cast<std::size_t>(std::min(wanted, useful));
}

bool ByteWindow::refill(std::size_t count)
{
    const auto all = m_source.size();
    if (all && static_cast<std::uint64_t>(*all - offset()) < count)
        return false;
    while (available() < count) {
        if (m_atEnd || !m_status.ok() || !readMore(count))
            return false;
    }
    return true;
}

/// Reads once. A request for more than the window holds makes it grow with the bytes that arrive,
/// to at most twice their size.
bool ByteWindow::readMore(std::size_t count)
{
    const std::size_t kept = available();
    m_seenBegin = nullptr;
    if (kept <= ByteSource::kLendRoom) {
        if (auto lent = m_source.lend())
            return borrow(std::move(*lent), kept);
    }
    std::size_t room = std::max(m_bytes.size(), m_size);
    if (kept >= room)
        room = std::min(count, 2 * kept);
    if (m_isBorrowed)
        m_bytes.resize(room);
    if (kept > 0)
        std::memmove(m_bytes.data(), m_cursor, kept);
    m_bytes.resize(room);
    m_isBorrowed = false;
    const auto got = m_source.read(std::span(m_bytes).subspan(kept));
    if (!place(m_bytes.data(), kept, got))
        return false;
    m_atEnd = available() < m_bytes.size();
    return true;
}

/// The unread rest goes before the bytes that the source lends.
bool ByteWindow::borrow(Result<LentBytes> lent, std::size_t kept)
{
    if (!lent.ok())
        return place(nullptr, 0, lent.error());
    const std::span<std::byte> bytes = lent->bytes;
    m_atEnd = bytes.empty();
    if (m_atEnd)
        return true;
    std::byte *const begin = bytes.data() - kept;
    if (kept > 0)
        std::memcpy(begin, m_cursor, kept);
    m_isBorrowed = true;
    if (lent->made != nullptr) {
        m_seen = lent->made;
        m_seenBegin = reinterpret_cast<const std::uint8_t *>(bytes.data());
        ++m_seenNumber;
    }
    return place(begin, kept, bytes.size());
}

bool ByteWindow::place(const std::byte *begin, std::size_t kept, const Result<std::size_t> &added)
{
    m_cursor = reinterpret_cast<const std::uint8_t *>(begin);
    m_end = m_cursor;
    if (!added.ok()) {
        m_status = added.error();
        return false;
    }
    m_end += kept + *added;
    m_windowEnd += static_cast<std::int64_t>(*added);
    return true;
}

void ByteWindow::lookWith(Look look)
{
    m_look = std::move(look);
    m_source.lookWith(m_look);
}

void ByteWindow::lookNow()
{
    if (m_look)
        m_look({m_cursor, m_end}, m_made, m_kept);
    m_seen = &m_made;
    m_seenBegin = m_cursor;
    ++m_seenNumber;
}

} // namespace vramscope
