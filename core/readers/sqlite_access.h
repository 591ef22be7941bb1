// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct sqlite3_file;
struct sqlite3_vfs;

namespace vramscope {

/// A file system for SQLite with one file, which never changes: SQLite locks nothing and looks for
/// no journal next to it, and the errors of the source are kept.
class SqliteAccess
{
public:
    explicit SqliteAccess(SeekableSource &source);
    SqliteAccess(const SqliteAccess &) = delete;
    SqliteAccess &operator=(const SqliteAccess &) = delete;
    ~SqliteAccess();

    /// The name under which SQLite knows it; null if SQLite did not register it.
    [[nodiscard]] const char *name() const { return m_isRegistered ? m_name.data() : nullptr; }
    [[nodiscard]] SeekableSource &source() const { return m_source; }
    /// Bytes of the file.
    [[nodiscard]] std::int64_t size() const { return m_size; }
    [[nodiscard]] std::int64_t bytesRead() const { return m_bytesRead; }
    void addBytesRead(std::int64_t bytes) { m_bytesRead += bytes; }
    /// The status of the source.
    [[nodiscard]] const Result<void> &status() const { return m_status; }

private:
    struct OpenFile;

    static int open(sqlite3_vfs *system, const char *, sqlite3_file *file, int flags, int *given);
    /// Pages of a table mostly follow each other, so consecutive reads fetch a whole piece.
    int read(void *to, std::size_t count, std::int64_t place);
    int fetch(std::span<std::byte> into, std::int64_t place, std::size_t &done);

    SeekableSource &m_source;
    std::int64_t m_size;
    std::int64_t m_bytesRead = 0;
    Result<void> m_status;
    std::unique_ptr<sqlite3_vfs> m_system;
    std::array<char, 48> m_name{};
    bool m_isRegistered = false;
    std::vector<std::byte> m_piece;
    std::int64_t m_pieceBegin = 0;
    std::size_t m_pieceSize = 0;
};

} // namespace vramscope
