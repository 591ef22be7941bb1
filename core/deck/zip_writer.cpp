// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/zip_writer.h"

#include <memory>

#include <zip.h>

namespace vramscope {

namespace {

constexpr zip_uint16_t kFirstDay = (1 << 5) | 1; ///< since 1980, in the count of the format
constexpr zip_uint32_t kCompression = 6;

struct FreeSource
{
    void operator()(zip_source_t *source) const { zip_source_free(source); }
};
struct DiscardArchive
{
    void operator()(zip_t *archive) const { zip_discard(archive); }
};

Error notWritten()
{
    return {ErrorCode::WriteFailed, "The archive could not be put together; there may be too "
                                    "little memory."};
}

bool add(zip_t *archive, const ZipPart &part)
{
    zip_source_t *content = zip_source_buffer(archive, part.bytes.data(), part.bytes.size(), 0);
    if (!content)
        return false;
    const zip_int64_t at = zip_file_add(archive, part.name.c_str(), content, 0);
    if (at < 0) {
        zip_source_free(content);
        return false;
    }
    const auto index = static_cast<zip_uint64_t>(at);
    const bool isPacked = part.name.ends_with(".png");
    return zip_set_file_compression(archive, index, isPacked ? ZIP_CM_STORE : ZIP_CM_DEFLATE,
                                    isPacked ? 0 : kCompression) == 0 &&
           zip_file_set_dostime(archive, index, 0, kFirstDay, 0) == 0;
}

Result<std::string> bytesOf(zip_source_t *source)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_source_stat(source, &stat) != 0 || zip_source_open(source) != 0)
        return notWritten();
    std::string bytes(stat.size, '\0');
    const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (count != static_cast<zip_int64_t>(bytes.size()))
        return notWritten();
    return bytes;
}

} // namespace

Result<std::string> zipped(std::span<const ZipPart> parts)
{
    const std::unique_ptr<zip_source_t, FreeSource> memory(
        zip_source_buffer_create(nullptr, 0, 0, nullptr));
    if (!memory)
        return notWritten();
    std::unique_ptr<zip_t, DiscardArchive> archive(
        zip_open_from_source(memory.get(), ZIP_CREATE | ZIP_TRUNCATE, nullptr));
    if (!archive)
        return notWritten();
    zip_source_keep(memory.get()); // the archive owns it too from now on
    for (const ZipPart &part : parts) {
        if (!add(archive.get(), part))
            return notWritten();
    }
    if (zip_close(archive.get()) != 0)
        return notWritten();
    (void)archive.release(); // closed
    return bytesOf(memory.get());
}

} // namespace vramscope
