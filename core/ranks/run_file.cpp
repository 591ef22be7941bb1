// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_file.h"

#include "core/base/format.h"
#include "core/base/ordered_jobs.h"
#include "core/base/path_text.h"
#include "core/base/text_file.h"
#include "core/readers/sources.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <limits>

#include <zlib.h>

namespace vramscope {

namespace {

constexpr std::size_t kMostProblems = 50;
constexpr std::size_t kMostLines =
    kLongestRecord / 64; // of a member: shorter ones are none of ours
constexpr std::size_t kLongestKind = 32;
// RFC 1952: the fixed header, the length of the extra field, and the head of its one subfield.
constexpr std::size_t kFixedHeader = 10;
constexpr std::size_t kKindAt = kFixedHeader + 2 + 4 + 4;
constexpr std::size_t kTrailer = 8; // CRC-32 and length
// By no system in particular, without a time: the same bytes everywhere.
constexpr std::array<unsigned char, kFixedHeader> kGzipHeader{0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255};

void putNumber(std::string &bytes, std::uint64_t number, std::size_t count)
{
    for (std::size_t at = 0; at < count; ++at)
        bytes += static_cast<char>(number >> (8 * at) & 0xffU);
}

std::uint64_t numberAt(std::string_view bytes, std::size_t place, std::size_t count)
{
    std::uint64_t number = 0;
    for (std::size_t at = 0; at < count; ++at)
        number |= std::uint64_t(static_cast<unsigned char>(bytes[place + at])) << (8 * at);
    return number;
}

/// Lines as one member. `text` has at most kLongestRecord bytes.
std::string memberOf(std::string_view kind, const std::string &text)
{
    constexpr int kLevel = 6;
    constexpr int kMemory = 8;
    std::string member(kGzipHeader.begin(), kGzipHeader.end());
    putNumber(member, 4 + 4 + kind.size(), 2);
    member += "VR";
    putNumber(member, 4 + kind.size(), 2);
    putNumber(member, 0, 4); // the length, once it is known
    member += kind;

    z_stream stream{};
    if (deflateInit2(&stream, kLevel, Z_DEFLATED, -MAX_WBITS, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    const std::size_t head = member.size();
    member.resize(head + deflateBound(&stream, static_cast<uLong>(text.size())));
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data())); // only read
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef *>(member.data() + head);
    stream.avail_out = static_cast<uInt>(member.size() - head);
    [[maybe_unused]] const int result = deflate(&stream, Z_FINISH);
    assert(result == Z_STREAM_END);
    member.resize(head + stream.total_out);
    deflateEnd(&stream);

    const auto *bytes = reinterpret_cast<const Bytef *>(text.data());
    putNumber(member, crc32(crc32(0, nullptr, 0), bytes, static_cast<uInt>(text.size())), 4);
    putNumber(member, text.size(), 4);
    std::string length;
    putNumber(length, member.size(), 4);
    member.replace(kKindAt - 4, 4, length);
    return member;
}

struct PlannedMember
{
    std::string_view kind;
    std::vector<std::string_view> lines;
};

/// Where a member lies, and of which kind its lines are.
struct FoundMember
{
    std::int64_t place = 0;
    std::size_t length = 0;
    std::size_t head = 0; ///< bytes before the compressed ones
    std::string kind;
};

std::string placeText(std::int64_t place)
{
    return " (at byte " + formatCount(place) + ")";
}

/// The members of a file, one after the other, by their headers alone.
struct MemberChain
{
    std::vector<FoundMember> members;
    std::string whyIncomplete; ///< where the chain breaks
};

/// What the header of a member says; a sentence where it is none of ours.
Result<FoundMember> memberAt(std::int64_t place, std::string_view header)
{
    const auto isOurs = [&] {
        return header.size() >= kKindAt && std::memcmp(header.data(), kGzipHeader.data(), 4) == 0 &&
               header.substr(kFixedHeader + 2, 2) == "VR";
    };
    if (!isOurs())
        return Error{ErrorCode::Malformed, "The file holds something else", place};
    FoundMember member;
    member.place = place;
    const auto extra = static_cast<std::size_t>(numberAt(header, kFixedHeader, 2));
    const auto field = static_cast<std::size_t>(numberAt(header, kFixedHeader + 4, 2));
    member.length = static_cast<std::size_t>(numberAt(header, kFixedHeader + 6, 4));
    member.head = kFixedHeader + 2 + extra;
    if (extra != field + 4 || field < 4 + 1 || field > 4 + kLongestKind ||
        member.length < member.head + kTrailer)
        return Error{ErrorCode::Malformed, "The file is damaged", place};
    if (header.size() < member.head)
        return Error{ErrorCode::Truncated, "The file is cut off", place};
    member.kind = header.substr(kKindAt, field - 4);
    return member;
}

Result<MemberChain> chainOf(SeekableSource &source, std::int64_t size)
{
    MemberChain chain;
    std::array<std::byte, kKindAt + kLongestKind> bytes{};
    for (std::int64_t place = 0; place < size;) {
        const Result<std::size_t> count = source.readAt(place, bytes);
        if (!count)
            return count.error();
        const std::string_view header(reinterpret_cast<const char *>(bytes.data()), *count);
        const bool isShort = place + std::int64_t(kKindAt) > size;
        Result<FoundMember> member = memberAt(place, header);
        if (!member || static_cast<std::int64_t>(member->length) > size - place) {
            const bool isCut = member || isShort;
            chain.whyIncomplete =
                (isCut ? std::string("The file is cut off") : member.error().detail) +
                placeText(place) + "; what stands before is used.";
            break;
        }
        place += static_cast<std::int64_t>(member->length);
        chain.members.push_back(std::move(*member));
    }
    return chain;
}

/// The text of a member; nothing of one that is damaged or unfolds to more than a member may.
Result<std::string> textOf(SeekableSource &source, const FoundMember &member)
{
    // No compression makes more than this of a byte: a longer text is not there.
    constexpr std::size_t kMostOfDeflate = 1032;
    std::string packed(member.length, '\0');
    const Result<std::size_t> count =
        source.readAt(member.place, std::as_writable_bytes(std::span(packed)));
    if (!count)
        return count.error();
    const Error damaged{ErrorCode::Malformed, "A member of the file is damaged and is left out",
                        member.place};
    if (*count != packed.size())
        return damaged;
    const std::size_t trailer = packed.size() - kTrailer;
    const auto length = static_cast<std::size_t>(numberAt(packed, trailer + 4, 4));
    if (length > kLongestRecord || length > (trailer - member.head) * kMostOfDeflate)
        return damaged;
    std::string text(length, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        throw std::bad_alloc();
    stream.next_in = reinterpret_cast<Bytef *>(packed.data() + member.head);
    stream.avail_in = static_cast<uInt>(trailer - member.head);
    Bytef none = 0;
    stream.next_out = text.empty() ? &none : reinterpret_cast<Bytef *>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    const int result = inflate(&stream, Z_FINISH);
    const bool isWhole =
        result == Z_STREAM_END && stream.total_out == length && stream.avail_in == 0;
    inflateEnd(&stream);
    const uLong sum = crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef *>(text.data()),
                            static_cast<uInt>(text.size()));
    if (!isWhole || sum != numberAt(packed, trailer, 4))
        return damaged;
    return text;
}

/// What a member gave.
struct ReadMember
{
    std::vector<RunRecord> records;
    std::int64_t lines = 0;
    std::vector<std::string> problems;
    std::string damage;  ///< why the member could not be read
    std::string special; ///< the line of "file" or "end"
};

void readLines(std::string_view text, const FoundMember &member, ReadMember &into)
{
    const auto complain = [&](const std::string &what) {
        if (into.problems.size() < kMostProblems)
            into.problems.push_back(what + placeText(member.place));
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (++into.lines > std::int64_t(kMostLines)) {
            into.damage = "A member of the file has too many lines" + placeText(member.place);
            return;
        }
        if (member.kind == "file" || member.kind == "end") {
            into.special = line;
            continue;
        }
        Result<RunRecord> record = recordOf(line);
        if (!record)
            complain("A record cannot be used. " + record.error().detail);
        else if (record->kind != member.kind)
            complain("A record of the kind \"" + record->kind + "\" stands among others");
        else
            into.records.push_back(std::move(*record));
    }
}

bool isRead(const FoundMember &member, const WantedKinds &wanted)
{
    return member.kind == "file" || member.kind == "end" || !wanted || wanted(member.kind);
}

/// Puts members together, in order: what is complete, and what is missing.
class RunAssembly
{
public:
    RunAssembly(RunFile &into, const WantedKinds &wanted)
        : m_into(into)
        , m_wanted(wanted)
    {
    }

    Result<void> add(const FoundMember &member, ReadMember &&read, bool isRead)
    {
        for (std::string &problem : read.problems)
            addProblem(std::move(problem));
        if (!read.damage.empty())
            miss(read.damage);
        if (!isRead || !read.damage.empty())
            return {};
        if (member.kind == "file")
            return begin(read);
        if (member.kind == "end") {
            end(read);
            return {};
        }
        if (!m_isOpen)
            miss("The beginning is missing" + placeText(member.place));
        m_counts[member.kind] += read.lines;
        for (RunRecord &record : read.records)
            m_into.run.add(std::move(record));
        return {};
    }

    void finish()
    {
        if (m_isOpen)
            miss("The end is missing: the file was not written or copied to its end");
    }

    void miss(const std::string &what)
    {
        if (m_into.whyIncomplete.empty())
            m_into.whyIncomplete = what;
    }

private:
    Result<void> begin(const ReadMember &read)
    {
        if (Result<void> checked = checkFileLine(read.special); !checked)
            return checked;
        finish();
        m_isOpen = true;
        m_counts.clear();
        return {};
    }

    void end(const ReadMember &read)
    {
        const auto counts = countsOfEnd(read.special);
        if (!counts || !m_isOpen)
            return miss("The end of the file is damaged");
        for (const auto &[kind, count] : *counts) {
            const auto found = m_counts.find(kind);
            const bool wasRead = found != m_counts.end() || !m_wanted || m_wanted(kind);
            if (wasRead && count != (found == m_counts.end() ? 0 : found->second))
                miss("Records of the kind \"" + excerptOf(kind) + "\" are missing");
        }
        m_isOpen = false;
    }

    static std::string excerptOf(const std::string &kind) { return printable(kind.substr(0, 60)); }

    void addProblem(std::string problem)
    {
        if (m_into.problems.size() < kMostProblems)
            m_into.problems.push_back(std::move(problem));
    }

    RunFile &m_into;
    const WantedKinds &m_wanted;
    std::map<std::string, std::int64_t> m_counts;
    bool m_isOpen = false;
};

} // namespace

std::string runFileBytes(const RunSummary &run)
{
    const std::string first = fileLine();
    std::map<std::string, std::int64_t> counts;
    std::vector<PlannedMember> members{{"file", {first}}};
    const auto kinds = run.linesByKind();
    for (const auto &[kind, lines] : kinds) {
        counts[std::string(kind)] = static_cast<std::int64_t>(lines.size());
        std::size_t bytes = kLongestRecord; // as of a full one: a kind begins a member
        for (const std::string_view line : lines) {
            if (bytes + line.size() + 1 > kLongestRecord ||
                members.back().lines.size() == kMostLines) {
                members.push_back({kind, {}});
                bytes = 0;
            }
            members.back().lines.push_back(line);
            bytes += line.size() + 1;
        }
    }
    const std::string last = endLine(counts);
    members.push_back({"end", {last}});

    std::vector<std::string> packed(members.size());
    std::string file;
    runInOrder(
        members.size(),
        [&](std::size_t at) {
            std::string text;
            for (const std::string_view line : members[at].lines)
                text.append(line).append(1, '\n');
            packed[at] = memberOf(members[at].kind, text);
        },
        [&](std::size_t at) {
            file += packed[at];
            packed[at] = std::string();
            return true;
        });
    return file;
}

namespace {

bool isPacked(std::string_view start)
{
    return start.starts_with("\x1F\x8B") || start.starts_with("\x28\xB5\x2F\xFD");
}

/// The first bytes that a packed file unfolds to; none where it does not.
std::string unpackedStart(const std::filesystem::path &file)
{
    const Result<std::unique_ptr<ByteSource>> source = openUnpacked(file);
    if (!source)
        return {};
    ByteWindow window(**source);
    constexpr std::size_t kStart = kKindAt + kLongestKind;
    (void)window.ensure(kStart); // as much as there is
    return {reinterpret_cast<const char *>(window.cursor()), std::min(window.available(), kStart)};
}

} // namespace

bool isRunFile(std::string_view start)
{
    const Result<FoundMember> member = memberAt(0, start);
    return member && member->kind == "file";
}

bool isRunFile(const std::filesystem::path &file)
{
    const Result<std::string> start = readTextFile(file, kKindAt + kLongestKind);
    if (!start || isRunFile(std::string_view(*start)))
        return start.ok();
    return isPacked(*start) && isRunFile(std::string_view(unpackedStart(file)));
}

bool isNamedAsRunFile(const std::filesystem::path &file)
{
    const std::string ending = file.extension().string();
    const bool isPackedName = ending == ".gz" || ending == ".zst";
    return (isPackedName ? file.stem() : file).extension() == pathOf(kRunFileEnding);
}

Result<RunFile> readRunFile(SeekableSource &source, const WantedKinds &wanted,
                            const Progress &progress)
{
    const std::int64_t size = source.size().value_or(0);
    RunFile file;
    file.bytes = size;
    Result<MemberChain> chain = chainOf(source, size);
    if (!chain)
        return chain.error();
    if (chain->members.empty() || chain->members.front().kind != "file")
        return Error{ErrorCode::NotRecognized,
                     "These are no summaries of ranks, or their beginning is missing; "
                     "vramscope-cli summarize writes them."};
    RunAssembly assembly(file, wanted);
    std::int64_t unfolded = 0;
    // A stretch at a time: what waits to be put together stays small.
    constexpr std::size_t kTogether = 16;
    for (std::size_t from = 0; from < chain->members.size(); from += kTogether) {
        const std::size_t count = std::min(kTogether, chain->members.size() - from);
        std::vector<ReadMember> read(count);
        std::vector<std::int64_t> lengths(count);
        const auto readOne = [&](std::size_t at, const Progress &) {
            const FoundMember &member = chain->members[from + at];
            if (!isRead(member, wanted))
                return;
            const Result<std::string> text = textOf(source, member);
            if (!text) {
                read[at].damage = text.error().text();
                return;
            }
            lengths[at] = static_cast<std::int64_t>(text->size());
            readLines(*text, member, read[at]);
        };
        constexpr std::int64_t kSmall = 256 * kKiB; // done before a thread has started
        for (std::size_t at = 0; size < kSmall && at < count; ++at)
            readOne(at, {});
        if (size >= kSmall && !runTogether(count, readOne, {}))
            return Error{ErrorCode::Cancelled, "Reading was cancelled."};
        for (std::size_t at = 0; at < count; ++at) {
            const FoundMember &member = chain->members[from + at];
            unfolded += lengths[at];
            if (unfolded > kFreeExpansion && unfolded / kMostExpansion > size)
                return Error{ErrorCode::Refused, "The file unfolds to more than " +
                                                     std::to_string(kMostExpansion) +
                                                     " times its size, which no summaries do."};
            if (const Result<void> added =
                    assembly.add(member, std::move(read[at]), isRead(member, wanted));
                !added)
                return added.error();
        }
        const auto done = static_cast<double>(from + count);
        if (progress && !progress(done / static_cast<double>(chain->members.size())))
            return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    }
    if (!chain->whyIncomplete.empty())
        assembly.miss(chain->whyIncomplete);
    assembly.finish();
    if (const Result<void> verified = source.verify(); !verified)
        return verified.error();
    return file;
}

namespace {

/// What a file that was packed as a whole unfolds to.
Result<std::string> unpacked(const std::filesystem::path &file, const Progress &progress)
{
    const Result<std::unique_ptr<ByteSource>> source = openUnpacked(file);
    if (!source)
        return source.error();
    constexpr std::size_t kMost = std::size_t(1) << 30;
    ByteWindow window(**source);
    std::string bytes;
    while (window.available() > 0 || window.ensure(1)) {
        if (progress && !progress(window.fraction() / 2))
            return Error{ErrorCode::Cancelled, "Reading was cancelled."};
        if (bytes.size() + window.available() > kMost)
            return Error{ErrorCode::Refused, "The file unfolds to more than 1 GiB; unpack it and "
                                             "name the result."};
        bytes.append(reinterpret_cast<const char *>(window.cursor()), window.available());
        window.advance(window.available());
    }
    if (!window.status())
        return window.status().error();
    return bytes;
}

Result<RunFile> readOnce(const std::filesystem::path &file, const WantedKinds &wanted,
                         const Progress &progress)
{
    const auto source = openFile(file);
    if (!source)
        return source.error();
    std::array<std::byte, kKindAt + kLongestKind> start{};
    const Result<std::size_t> count = (*source)->readAt(0, start);
    if (!count)
        return count.error();
    const std::string_view text(reinterpret_cast<const char *>(start.data()), *count);
    if (isRunFile(text) || !isPacked(text))
        return readRunFile(**source, wanted, progress);
    const Result<std::string> bytes = unpacked(file, progress);
    if (!bytes)
        return bytes.error();
    return readRunFile(*memorySource(std::as_bytes(std::span(*bytes))), wanted,
                       partOf(progress, 0.5, 1));
}

} // namespace

Result<RunFile> readRunFile(const std::filesystem::path &file, const WantedKinds &wanted,
                            const Progress &progress)
{
    // A file on a share may be replaced between its opening and its reading: once more is enough.
    for (int attempt = 0;; ++attempt) {
        Result<RunFile> read = readOnce(file, wanted, progress);
        const bool again = !read && (read.error().code == ErrorCode::NotFound ||
                                     read.error().code == ErrorCode::Unreadable ||
                                     read.error().code == ErrorCode::Changed);
        if (!again || attempt > 0)
            return read;
    }
}

} // namespace vramscope
