// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sources.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/readers/detect_format.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <zip.h>

namespace vramscope {

namespace {

constexpr std::size_t kMostName = 80;     ///< bytes of a name in a sentence
constexpr std::size_t kMostNames = 3;     ///< in a sentence
constexpr zip_int64_t kMostFiles = 2'000; ///< with their beginnings looked at

/// Lets libzip read an archive: a source, and how much more of it may be read.
class Reading
{
public:
    explicit Reading(std::unique_ptr<SeekableSource> source)
        : m_source(std::move(source))
    {
        zip_error_init(&m_error);
    }
    Reading(const Reading &) = delete;
    Reading &operator=(const Reading &) = delete;
    ~Reading() { zip_error_fini(&m_error); }

    static zip_int64_t answer(void *self, void *data, zip_uint64_t size, zip_source_cmd_t command)
    {
        return static_cast<Reading *>(self)->answer(data, size, command);
    }

    /// Bytes that may be read from now on.
    void allow(std::int64_t bytes) { m_allowed = bytes; }
    [[nodiscard]] bool isSpent() const { return m_allowed < 0; }
    /// The failure of reading, if any.
    [[nodiscard]] const Result<void> &status() const { return m_status; }
    [[nodiscard]] SeekableSource &source() { return *m_source; }
    [[nodiscard]] std::int64_t size() const { return m_source->size().value_or(0); }
    [[nodiscard]] std::int64_t position() const { return m_position; }

private:
    zip_int64_t answer(void *data, zip_uint64_t size, zip_source_cmd_t command);
    zip_int64_t read(void *data, zip_uint64_t size);
    zip_int64_t seek(void *data, zip_uint64_t size);
    zip_int64_t fail(int code)
    {
        zip_error_set(&m_error, code, 0);
        return -1;
    }

    std::unique_ptr<SeekableSource> m_source;
    std::int64_t m_position = 0;
    std::int64_t m_allowed = 0;
    Result<void> m_status;
    zip_error_t m_error{};
};

zip_int64_t Reading::answer(void *data, zip_uint64_t size, zip_source_cmd_t command)
{
    switch (command) {
    case ZIP_SOURCE_OPEN:
        m_position = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return read(data, size);
    case ZIP_SOURCE_SEEK:
        return seek(data, size);
    case ZIP_SOURCE_TELL:
        return m_position;
    case ZIP_SOURCE_STAT: {
        auto *stat = static_cast<zip_stat_t *>(data);
        zip_stat_init(stat);
        stat->size = static_cast<zip_uint64_t>(this->size());
        stat->valid |= ZIP_STAT_SIZE;
        return sizeof(*stat);
    }
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&m_error, data, size);
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                              ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    default:
        return fail(ZIP_ER_OPNOTSUPP);
    }
}

zip_int64_t Reading::read(void *data, zip_uint64_t size)
{
    m_allowed -= static_cast<std::int64_t>(std::min<zip_uint64_t>(size, 1U << 30));
    if (isSpent())
        return fail(ZIP_ER_READ);
    const auto done = m_source->readAt(m_position, {static_cast<std::byte *>(data), size});
    if (!done.ok()) {
        m_status = done.error();
        return fail(ZIP_ER_READ);
    }
    m_position += static_cast<std::int64_t>(*done);
    return static_cast<zip_int64_t>(*done);
}

zip_int64_t Reading::seek(void *data, zip_uint64_t size)
{
    const zip_int64_t to = zip_source_seek_compute_offset(static_cast<zip_uint64_t>(m_position),
                                                          static_cast<zip_uint64_t>(this->size()),
                                                          data, size, &m_error);
    if (to < 0)
        return -1;
    m_position = to;
    return 0;
}

Error malformed(std::string_view what)
{
    return {ErrorCode::Malformed, "The zip archive is damaged (" + std::string(what) +
                                      "); copy it again or pack it again."};
}

struct CloseArchive
{
    void operator()(zip_t *archive) const { zip_discard(archive); }
};
struct CloseFile
{
    void operator()(zip_file_t *file) const { zip_fclose(file); }
};

/// One file of the archive.
struct Packed
{
    zip_uint64_t index = 0;
    std::string name;      ///< fit to be shown
    std::int64_t size = 0; ///< as it is declared
    std::int64_t packedSize = 0;
};

/// An open zip archive and the file in it that is read.
class ZippedSource final : public ByteSource
{
public:
    explicit ZippedSource(std::unique_ptr<SeekableSource> archive)
        : m_reading(std::move(archive))
    {
    }

    /// Opens the archive and finds the recording in it.
    [[nodiscard]] Result<void> open();

    std::optional<std::int64_t> size() const override { return {}; }
    double fraction() const override
    {
        const double whole = static_cast<double>(std::max<std::int64_t>(m_file.packedSize, 1));
        return std::clamp(static_cast<double>(m_reading.position() - m_start) / whole, 0.0, 1.0);
    }
    Result<std::size_t> read(std::span<std::byte> into) override;
    Result<void> verify() override { return m_reading.source().verify(); }

private:
    [[nodiscard]] Result<void> openArchive();
    [[nodiscard]] Result<std::vector<Packed>> files();
    [[nodiscard]] Result<Packed> fileAt(zip_uint64_t index);
    [[nodiscard]] Result<Packed> recordingOf(const std::vector<Packed> &files);
    [[nodiscard]] Result<TraceFormat> formatOf(const Packed &file);
    [[nodiscard]] Result<void> start(const Packed &file);
    [[nodiscard]] Error failure();

    Reading m_reading;
    std::unique_ptr<zip_t, CloseArchive> m_archive;
    std::unique_ptr<zip_file_t, CloseFile> m_stream;
    Packed m_file;
    std::int64_t m_start = 0;
    std::int64_t m_produced = 0;
};

/// libzip searches the last 64 KiB for the end of the list, and reads the list.
Result<void> ZippedSource::openArchive()
{
    constexpr std::int64_t kEnd = std::int64_t(256) << 10;
    m_reading.allow(kMostArchiveList + kEnd);
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_function_create(&Reading::answer, &m_reading, &error);
    if (source)
        m_archive.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    const int code = zip_error_code_zip(&error);
    zip_error_fini(&error);
    if (m_archive)
        return {};
    if (source)
        zip_source_free(source);
    if (!m_reading.status().ok())
        return m_reading.status();
    if (m_reading.isSpent())
        return Error{ErrorCode::Unsupported,
                     "The zip archive lists more files than one of recordings does; unpack it and "
                     "open the folder."};
    if (code == ZIP_ER_NOZIP)
        return Error{ErrorCode::Truncated,
                     "The zip archive ends before its list of files: it was not written or copied "
                     "to the end; copy it again or pack it again."};
    if (code == ZIP_ER_MULTIDISK)
        return Error{
            ErrorCode::Unsupported,
            "This is one part of a zip archive in several; unpack it and open the result."};
    return malformed("its list of files contradicts itself");
}

/// Whether a name leads out of the folder into which an archive is unpacked.
bool leadsOutside(std::string_view name)
{
    const auto isDrive = [&] { return name.size() > 1 && name[1] == ':'; };
    if (name.starts_with('/') || name.starts_with('\\') || isDrive())
        return true;
    std::size_t from = 0;
    while (from <= name.size()) {
        const std::size_t end = std::min(name.find_first_of("/\\", from), name.size());
        if (name.substr(from, end - from) == "..")
            return true;
        from = end + 1;
    }
    return false;
}

/// Whether a system added the file to the packed ones.
bool isBeside(std::string_view name)
{
    return name.starts_with("__MACOSX/") || name.ends_with(".DS_Store") ||
           name.ends_with("Thumbs.db");
}

Result<Packed> ZippedSource::fileAt(zip_uint64_t index)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(m_archive.get(), index, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_NAME))
        return malformed("its list of files contradicts itself");
    const std::string name = excerpt(stat.name, kMostName);
    if (leadsOutside(stat.name))
        return Error{ErrorCode::Refused,
                     "The zip archive holds a file that is to be unpacked outside of its folder (" +
                         name + "); it was made to do harm, so nothing of it is read."};
    if ((stat.valid & ZIP_STAT_ENCRYPTION_METHOD) && stat.encryption_method != ZIP_EM_NONE)
        return Error{ErrorCode::Refused, "The zip archive is encrypted; unpack it with its "
                                         "password and open what it holds."};
    const bool isRead = stat.comp_method == ZIP_CM_STORE || stat.comp_method == ZIP_CM_DEFLATE;
    if (!isRead) // other methods may require gigabytes of memory
        return Error{ErrorCode::Unsupported,
                     name + " is packed in a way that few programs read; unpack the zip archive "
                            "and open what it holds."};
    const auto whole = static_cast<zip_uint64_t>(m_reading.size());
    constexpr zip_uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (stat.comp_size > whole)
        return malformed("a file in it is longer than the archive");
    return Packed{index, name, static_cast<std::int64_t>(std::min(stat.size, kMost)),
                  static_cast<std::int64_t>(stat.comp_size)};
}

Result<std::vector<Packed>> ZippedSource::files()
{
    const zip_int64_t count = zip_get_num_entries(m_archive.get(), 0);
    if (count > kMostFiles)
        return Error{ErrorCode::Unsupported,
                     "The zip archive holds " + counted(count, "file") +
                         ", more than one of recordings does; unpack it and open the folder."};
    std::vector<Packed> all;
    for (zip_int64_t at = 0; at < count; ++at) {
        const char *name = zip_get_name(m_archive.get(), static_cast<zip_uint64_t>(at), 0);
        const std::string_view text = name ? name : "";
        if ((text.ends_with('/') && !leadsOutside(text)) || isBeside(text)) // folders have no bytes
            continue;
        auto file = fileAt(static_cast<zip_uint64_t>(at));
        if (!file.ok())
            return file.error();
        all.push_back(std::move(*file));
    }
    if (all.empty())
        return Error{ErrorCode::Empty, "The zip archive is empty; pack the recording again."};
    return all;
}

/// "a, b, c and 5 more"
std::string namesOf(const std::vector<Packed> &files)
{
    std::string text;
    const std::size_t shown = std::min(files.size(), kMostNames);
    for (std::size_t at = 0; at < shown; ++at) {
        const bool isLast = at + 1 == files.size();
        text += (at == 0 ? "" : isLast ? " and " : ", ") + files[at].name;
    }
    if (files.size() > shown)
        text += " and " + std::to_string(files.size() - shown) + " more";
    return text;
}

/// Whether the names differ only in a number, like those of the ranks of a run.
bool differInNumbersAlone(const std::vector<Packed> &files)
{
    const auto withoutDigits = [](std::string name) {
        std::erase_if(name, isDigit);
        return name;
    };
    const std::string first = withoutDigits(files.front().name);
    return std::ranges::all_of(
        files, [&](const Packed &file) { return withoutDigits(file.name) == first; });
}

Result<void> ZippedSource::start(const Packed &file)
{
    m_file = file;
    m_produced = 0;
    m_reading.allow(std::numeric_limits<std::int64_t>::max()); // streamed: none of it is kept
    m_stream.reset(zip_fopen_index(m_archive.get(), file.index, 0));
    if (!m_stream)
        return failure();
    m_start = m_reading.position();
    return {};
}

Result<TraceFormat> ZippedSource::formatOf(const Packed &file)
{
    if (const auto started = start(file); !started.ok())
        return started.error();
    std::vector<std::byte> head(static_cast<std::size_t>(
        std::clamp<std::int64_t>(file.size, 1, static_cast<std::int64_t>(kDetectionBytes))));
    const auto count = read(head);
    if (!count.ok())
        return count.error();
    return detectFormat({reinterpret_cast<const std::uint8_t *>(head.data()), *count},
                        file.size <= static_cast<std::int64_t>(*count));
}

/// The one recording; for several, which the error names, nothing is taken.
Result<Packed> ZippedSource::recordingOf(const std::vector<Packed> &files)
{
    std::vector<Packed> recordings;
    std::vector<Packed> pages; // a page of HTML may hold a recording, but most do not
    std::vector<Packed> archives;
    std::optional<Error> why;
    for (const Packed &file : files) {
        const auto format = formatOf(file);
        if (!format.ok())
            why = format.error();
        else
            (*format == TraceFormat::Zip        ? archives
             : *format == TraceFormat::HtmlPage ? pages
                                                : recordings)
                .push_back(file);
    }
    if (recordings.empty() && pages.size() == 1)
        return pages.front();
    if (recordings.size() == 1)
        return recordings.front();
    if (recordings.size() > 1) {
        const bool ranks = differInNumbersAlone(recordings);
        return Error{ErrorCode::OtherContent,
                     "The zip archive holds " + counted(std::ssize(recordings), "recording") +
                         ", " + namesOf(recordings) +
                         (ranks ? ", which look like the ranks of one run; unpack it and open the "
                                  "folder."
                                : "; unpack it and open the one that you want.")};
    }
    if (!archives.empty())
        return Error{ErrorCode::Unsupported, "The zip archive holds another archive, " +
                                                 namesOf(archives) +
                                                 "; unpack it once and open what it holds."};
    if (files.size() == 1) {
        why->detail = "In the zip archive, " + files.front().name + ": " + why->detail;
        return *why;
    }
    return Error{ErrorCode::OtherContent, "The zip archive holds no recording, but " +
                                              namesOf(files) +
                                              "; open a snapshot, a profiler trace or a log."};
}

Result<void> ZippedSource::open()
{
    if (auto opened = openArchive(); !opened.ok())
        return opened;
    const auto all = files();
    if (!all.ok())
        return all.error();
    const auto recording = recordingOf(*all);
    if (!recording.ok())
        return recording.error();
    return start(*recording);
}

Error ZippedSource::failure()
{
    if (!m_reading.status().ok())
        return m_reading.status().error();
    const int code = zip_error_code_zip(m_stream ? zip_file_get_error(m_stream.get())
                                                 : zip_get_error(m_archive.get()));
    if (code == ZIP_ER_MEMORY)
        return {ErrorCode::Unreadable, "There is not enough memory to unpack the file."};
    return malformed(code == ZIP_ER_CRC ? m_file.name + " is not what its checksum says"
                                        : m_file.name + " cannot be unpacked");
}

Result<std::size_t> ZippedSource::read(std::span<std::byte> into)
{
    std::size_t done = 0;
    while (done < into.size()) {
        const std::span<std::byte> rest = into.subspan(done);
        const zip_int64_t count = zip_fread(m_stream.get(), rest.data(), rest.size());
        if (count < 0)
            return failure();
        if (count == 0)
            break;
        done += static_cast<std::size_t>(count);
        m_produced += count;
        if (m_produced > m_file.size)
            return malformed(m_file.name + " is longer than the archive says");
        if (m_produced > kFreeExpansion && m_produced / kMostExpansion > m_file.packedSize)
            return Error{ErrorCode::Refused,
                         m_file.name + " unfolds to more than " + std::to_string(kMostExpansion) +
                             " times its size, which no recording does; unpack the archive "
                             "yourself if you trust it."};
    }
    if (done < into.size() && m_produced < m_file.size)
        return malformed(m_file.name + " is shorter than the archive says");
    return done;
}

} // namespace

Result<std::unique_ptr<ByteSource>> zippedRecording(std::unique_ptr<SeekableSource> archive)
{
    auto source = std::make_unique<ZippedSource>(std::move(archive));
    if (const auto opened = source->open(); !opened.ok()) {
        // A file that is still being written looks damaged; report the change first.
        if (const auto verified = source->verify(); !verified.ok())
            return verified.error();
        return opened.error();
    }
    return std::unique_ptr<ByteSource>(std::move(source));
}

} // namespace vramscope
