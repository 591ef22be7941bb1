// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sqlite_access.h"

#include <sqlite3.h>

#include <cstdio>
#include <cstring>

namespace vramscope {

struct SqliteAccess::OpenFile
{
    sqlite3_file base;
    SqliteAccess *access;
};

SqliteAccess::SqliteAccess(SeekableSource &source)
    : m_source(source)
    , m_size(source.size().value_or(0))
    , m_system(std::make_unique<sqlite3_vfs>())
{
    std::snprintf(m_name.data(), m_name.size(), "vramscope-%p", static_cast<void *>(this));
    sqlite3_vfs &system = *m_system;
    system.iVersion = 1;
    system.szOsFile = sizeof(OpenFile);
    system.mxPathname = 64;
    system.zName = m_name.data();
    system.pAppData = this;
    system.xOpen = open;
    system.xDelete = [](sqlite3_vfs *, const char *, int) { return SQLITE_IOERR_DELETE; };
    system.xAccess = [](sqlite3_vfs *, const char *, int, int *result) {
        *result = 0;
        return SQLITE_OK;
    };
    system.xFullPathname = [](sqlite3_vfs *, const char *path, int room, char *to) {
        std::snprintf(to, static_cast<std::size_t>(room), "%s", path);
        return SQLITE_OK;
    };
    system.xRandomness = [](sqlite3_vfs *, int count, char *to) {
        std::memset(to, 0, static_cast<std::size_t>(count));
        return count;
    };
    system.xSleep = [](sqlite3_vfs *, int) { return 0; };
    system.xCurrentTime = [](sqlite3_vfs *, double *now) {
        *now = 0;
        return SQLITE_OK;
    };
    m_isRegistered = sqlite3_vfs_register(&system, 0) == SQLITE_OK;
}

SqliteAccess::~SqliteAccess()
{
    if (m_isRegistered)
        sqlite3_vfs_unregister(m_system.get());
}

int SqliteAccess::open(sqlite3_vfs *system, const char *, sqlite3_file *file, int flags, int *given)
{
    file->pMethods = nullptr;
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
        return SQLITE_CANTOPEN;
    static constexpr sqlite3_io_methods kMethods = [] {
        sqlite3_io_methods methods{};
        methods.iVersion = 1;
        methods.xClose = [](sqlite3_file *) { return SQLITE_OK; };
        methods.xRead = [](sqlite3_file *of, void *to, int count, sqlite3_int64 place) {
            return reinterpret_cast<OpenFile *>(of)->access->read(
                to, static_cast<std::size_t>(count), place);
        };
        methods.xWrite = [](sqlite3_file *, const void *, int, sqlite3_int64) {
            return SQLITE_READONLY;
        };
        methods.xTruncate = [](sqlite3_file *, sqlite3_int64) { return SQLITE_READONLY; };
        methods.xSync = [](sqlite3_file *, int) { return SQLITE_OK; };
        methods.xFileSize = [](sqlite3_file *of, sqlite3_int64 *size) {
            *size = reinterpret_cast<OpenFile *>(of)->access->m_size;
            return SQLITE_OK;
        };
        methods.xLock = [](sqlite3_file *, int) { return SQLITE_OK; };
        methods.xUnlock = [](sqlite3_file *, int) { return SQLITE_OK; };
        methods.xCheckReservedLock = [](sqlite3_file *, int *result) {
            *result = 0;
            return SQLITE_OK;
        };
        methods.xFileControl = [](sqlite3_file *, int, void *) { return SQLITE_NOTFOUND; };
        methods.xSectorSize = [](sqlite3_file *) { return 4096; };
        methods.xDeviceCharacteristics = [](sqlite3_file *) { return SQLITE_IOCAP_IMMUTABLE; };
        return methods;
    }();
    auto *opened = reinterpret_cast<OpenFile *>(file);
    opened->base.pMethods = &kMethods;
    opened->access = static_cast<SqliteAccess *>(system->pAppData);
    if (given != nullptr)
        *given = flags;
    return SQLITE_OK;
}

int SqliteAccess::fetch(std::span<std::byte> into, std::int64_t place, std::size_t &done)
{
    const auto count = m_source.readAt(place, into);
    if (!count.ok()) {
        m_status = count.error();
        return SQLITE_IOERR_READ;
    }
    done = *count;
    m_bytesRead += static_cast<std::int64_t>(done);
    return SQLITE_OK;
}

int SqliteAccess::read(void *to, std::size_t count, std::int64_t place)
{
    constexpr std::size_t kPiece = std::size_t(128) << 10;
    auto *const into = static_cast<std::byte *>(to);
    const std::int64_t pieceEnd = m_pieceBegin + static_cast<std::int64_t>(m_pieceSize);
    const bool isNear = place >= pieceEnd && place - pieceEnd < std::int64_t(kPiece);
    if (isNear && count <= kPiece) {
        m_piece.resize(kPiece);
        m_pieceBegin = place;
        m_pieceSize = 0;
        if (const int code = fetch(m_piece, place, m_pieceSize); code != SQLITE_OK)
            return code;
    }
    std::size_t done = 0;
    const std::int64_t within = place - m_pieceBegin;
    if (within >= 0 &&
        within + static_cast<std::int64_t>(count) <= static_cast<std::int64_t>(m_pieceSize)) {
        std::memcpy(into, m_piece.data() + within, count);
        return SQLITE_OK;
    }
    if (const int code = fetch({into, count}, place, done); code != SQLITE_OK)
        return code;
    m_pieceBegin = place + static_cast<std::int64_t>(done);
    m_pieceSize = 0;
    if (done == count)
        return SQLITE_OK;
    std::memset(into + done, 0, count - done);
    return SQLITE_IOERR_SHORT_READ;
}

} // namespace vramscope
