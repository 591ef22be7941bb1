// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sqlite_file.h"

#include "core/base/format.h"

#include <array>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>

namespace vramscope {

namespace {

std::filesystem::path companionOf(const std::filesystem::path &database, const char *suffix)
{
    std::filesystem::path file = database;
    file += suffix;
    return file;
}

/// The first bytes of a file; fewer if it is shorter or missing.
std::string startOf(const std::filesystem::path &file, std::size_t count)
{
    std::string start(count, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(start.data(), static_cast<std::streamsize>(count));
    start.resize(static_cast<std::size_t>(stream.gcount()));
    return start;
}

/// A log begins with a header of 32 bytes; each frame, a header of 24 bytes and a page, repeats its
/// two salts as long as it belongs to it. Frames with other salts were merged before.
bool holdsFrames(std::string_view log)
{
    constexpr std::string_view kMagic{"\x37\x7F\x06", 3}; // and 0x82 or 0x83
    constexpr std::size_t kHeader = 32;
    constexpr std::size_t kFrameHeader = 24;
    constexpr std::size_t kSalts = 8; // bytes
    return log.size() >= kHeader + kFrameHeader && log.starts_with(kMagic) &&
           log.substr(16, kSalts) == log.substr(kHeader + 8, kSalts);
}

/// SQLite clears the first bytes of a journal, or removes it, once a change is complete.
bool isHot(std::string_view journal)
{
    return journal.starts_with(std::string_view{"\xD9\xD5\x05\xF9\x20\xA1\x63\xD7", 8});
}

Error notMerged(const std::filesystem::path &file, const std::string &what)
{
    return {ErrorCode::Unsupported,
            what + " " + printable(file.filename().string()) + " next to the database, which is " +
                "not read: figures without it would be wrong. Merge it with \"sqlite3 FILE " +
                "'PRAGMA wal_checkpoint(TRUNCATE)'\", or export the report again with nsys."};
}

} // namespace

Result<void> holdsAllRows(const std::filesystem::path &database)
{
    constexpr std::size_t kEnough = 64;
    const std::filesystem::path log = companionOf(database, "-wal");
    if (holdsFrames(startOf(log, kEnough)))
        return notMerged(log, "Rows of this recording lie in");
    const std::filesystem::path journal = companionOf(database, "-journal");
    if (isHot(startOf(journal, kEnough)))
        return notMerged(journal, "A change of this database was interrupted; the rest lies in");
    return {};
}

} // namespace vramscope
