// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sqlite_pages.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace vramscope {

namespace {

constexpr std::uint8_t kInterior = 0x05;
constexpr std::uint8_t kLeaf = 0x0d;
constexpr std::size_t kFirstHeader = 100; // before page 1
constexpr std::size_t kPageNumber = 4;    // bytes
constexpr std::size_t kLongestVarint = 9;

std::uint32_t twoBytes(const std::uint8_t *at)
{
    return std::uint32_t(at[0]) << 8 | at[1];
}

std::uint32_t fourBytes(const std::uint8_t *at)
{
    return twoBytes(at) << 16 | twoBytes(at + 2);
}

/// A number of variable length, after which `at` stands; up to kLongestVarint bytes are looked at.
std::uint64_t varint(const std::uint8_t *&at)
{
    if (*at < 0x80)
        return *at++;
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte + 1 < kLongestVarint; ++byte) {
        const std::uint8_t next = *at++;
        value = value << 7 | (next & 0x7F);
        if (next < 0x80)
            return value;
    }
    return value << 8 | *at++;
}

/// Bytes of a value by its serial type.
std::uint64_t lengthOf(std::uint64_t type)
{
    constexpr std::array<std::uint8_t, 12> kNumbers{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
    return type < kNumbers.size() ? kNumbers[type] : (type - kNumbers.size()) / 2;
}

/// A whole number of some bytes, the highest first, with its sign.
template<std::size_t size>
std::int64_t signedNumber(const std::uint8_t *at)
{
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte < size; ++byte)
        value = value << 8 | at[byte];
    constexpr std::size_t kUnused = 64 - 8 * size;
    return static_cast<std::int64_t>(value << kUnused) >> kUnused;
}

std::int64_t wholeNumber(const std::uint8_t *at, std::uint64_t type)
{
    switch (type) {
    case 1:
        return signedNumber<1>(at);
    case 2:
        return signedNumber<2>(at);
    case 3:
        return signedNumber<3>(at);
    case 4:
        return signedNumber<4>(at);
    case 5:
        return signedNumber<6>(at);
    case 6:
        return signedNumber<8>(at);
    default: // 8 and 9, which take no bytes
        return static_cast<std::int64_t>(type) - 8;
    }
}

bool isWholeNumber(std::uint64_t type)
{
    return (type >= 1 && type <= 6) || type == 8 || type == 9;
}

/// The value of serial type `type` at `at`.
SqliteValue valueAt(const std::uint8_t *at, std::uint64_t type)
{
    constexpr std::uint64_t kReal = 7;
    constexpr std::uint64_t kFirstText = 12;
    SqliteValue value;
    value.isNull = false;
    if (type >= kFirstText)
        value.text = {reinterpret_cast<const char *>(at), lengthOf(type)};
    else if (isWholeNumber(type))
        value.number = wholeNumber(at, type);
    else
        value.isNull = type != kReal;
    return value;
}

/// A page of the file; less than all of it where the file ends.
Result<bool> readPage(SeekableSource &source, const SqlitePageLayout &layout, std::uint32_t number,
                      std::span<std::byte> into)
{
    if (number == 0 || number > layout.count)
        return false;
    const auto count =
        source.readAt(std::int64_t(number - 1) * std::int64_t(layout.pageSize), into);
    if (!count.ok())
        return count.error();
    return *count == into.size();
}

/// Walks down to the leaves of one tree. The first way down shows how deep they all lie.
class LeafSearch
{
public:
    LeafSearch(SeekableSource &source, const SqlitePageLayout &layout,
               const std::function<bool()> &goesOn, std::vector<std::uint32_t> &leaves)
        : m_source(source)
        , m_layout(layout)
        , m_goesOn(goesOn)
        , m_leaves(leaves)
    {
    }

    Result<SqlitePagesState> from(std::uint32_t root)
    {
        std::vector<std::uint32_t> level{root}; // pages of one depth, from left to right
        constexpr int kDeepest = 20;            // as SQLite has it
        for (int depth = 0; depth < kDeepest; ++depth) {
            const auto kind = kindOf(level.front());
            if (!kind.ok())
                return kind.error();
            if (*kind == kLeaf) {
                m_leaves = std::move(level);
                return SqlitePagesState::Sound;
            }
            if (*kind != kInterior)
                return depth == 0 ? SqlitePagesState::OtherTree : SqlitePagesState::Damaged;
            std::vector<std::uint32_t> below;
            for (const std::uint32_t page : level) {
                const auto read = addChildren(page, below);
                if (!read.ok())
                    return read.error();
                // Each page belongs to one place: more of them go round in a circle.
                if (!*read || below.size() > m_layout.count)
                    return SqlitePagesState::Damaged;
                constexpr std::size_t kAsks = 64; // once in so many pages
                if (++m_read % kAsks == 0 && !m_goesOn())
                    return SqlitePagesState::Stopped;
            }
            level = std::move(below);
        }
        return SqlitePagesState::Damaged;
    }

private:
    [[nodiscard]] static std::size_t headerOf(std::uint32_t page)
    {
        return page == 1 ? kFirstHeader : 0;
    }
    /// 0 where there is no such page.
    Result<std::uint8_t> kindOf(std::uint32_t page)
    {
        const auto read = readWhole(page);
        if (!read.ok())
            return read.error();
        return *read ? bytes()[headerOf(page)] : std::uint8_t(0);
    }
    Result<bool> readWhole(std::uint32_t page)
    {
        m_page.resize(m_layout.pageSize);
        return readPage(m_source, m_layout, page, m_page);
    }
    Result<bool> addChildren(std::uint32_t page, std::vector<std::uint32_t> &children)
    {
        constexpr std::size_t kInteriorHeader = 12;
        auto read = readWhole(page);
        if (!read.ok() || !*read)
            return read;
        const std::size_t header = headerOf(page);
        const std::uint8_t *const at = bytes();
        const std::size_t cells = twoBytes(at + header + 3);
        const std::size_t cellsEnd = header + kInteriorHeader + 2 * cells;
        if (at[header] != kInterior || cellsEnd > m_layout.usable)
            return false;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const std::size_t place = twoBytes(at + header + kInteriorHeader + 2 * cell);
            if (place < cellsEnd || place + kPageNumber > m_layout.usable)
                return false;
            children.push_back(fourBytes(at + place));
        }
        children.push_back(fourBytes(at + header + 8)); // right of all cells
        return true;
    }
    [[nodiscard]] const std::uint8_t *bytes() const
    {
        return reinterpret_cast<const std::uint8_t *>(m_page.data());
    }

    SeekableSource &m_source;
    const SqlitePageLayout &m_layout;
    const std::function<bool()> &m_goesOn;
    std::vector<std::uint32_t> &m_leaves;
    std::vector<std::byte> m_page;
    std::size_t m_read = 0; // pages
};

} // namespace

std::optional<SqlitePageLayout> SqlitePageLayout::of(std::span<const std::byte> header,
                                                     std::int64_t fileSize)
{
    constexpr std::size_t kEncoding = 56;
    constexpr std::uint32_t kUtf8 = 1;
    constexpr std::uint32_t kLargest = 65'536; // stands as 1
    constexpr std::uint32_t kSmallest = 512;
    constexpr std::uint32_t kLeastUsable = 480;
    if (header.size() < kFirstHeader || fileSize < 0)
        return std::nullopt;
    const auto *const at = reinterpret_cast<const std::uint8_t *>(header.data());
    const std::uint32_t stated = twoBytes(at + 16);
    SqlitePageLayout layout;
    layout.pageSize = stated == 1 ? kLargest : stated;
    if (fourBytes(at + kEncoding) != kUtf8 || layout.pageSize < kSmallest ||
        !std::has_single_bit(layout.pageSize))
        return std::nullopt;
    layout.usable = layout.pageSize - at[20];
    if (layout.usable < kLeastUsable)
        return std::nullopt;
    layout.count = static_cast<std::uint32_t>(
        std::min<std::int64_t>(fileSize / layout.pageSize, UINT32_MAX - 1));
    return layout;
}

Result<SqlitePagesState> findLeaves(SeekableSource &source, const SqlitePageLayout &layout,
                                    std::uint32_t root, const std::function<bool()> &goesOn,
                                    std::vector<std::uint32_t> &leaves)
{
    return LeafSearch(source, layout, goesOn, leaves).from(root);
}

/// The payload of a cell: its header and values, the first bytes of it at hand.
struct SqliteLeafReader::Record
{
    const std::uint8_t *bytes;
    std::uint64_t local; // bytes at hand
    std::uint64_t size;  // of all
    std::uint32_t next;  // the page on which it goes on
    std::int64_t rowId;
};

Result<SqlitePagesState> SqliteLeafReader::read(std::span<const std::uint32_t> leaves)
{
    m_rows.clear();
    m_joined.clear();
    m_textBytes = 0;
    m_status = {};
    bool isSound = readPages(leaves);
    for (std::size_t at = 0; at < leaves.size() && isSound; ++at) {
        const auto *const page =
            reinterpret_cast<const std::uint8_t *>(m_bytes.data()) + m_places[at];
        isSound = readLeaf(page, leaves[at]);
    }
    if (!m_status.ok())
        return m_status.error();
    return isSound ? SqlitePagesState::Sound : SqlitePagesState::Damaged;
}

/// Pages of a table mostly follow each other: those that do, or nearly, are read at once.
bool SqliteLeafReader::readPages(std::span<const std::uint32_t> leaves)
{
    constexpr std::uint32_t kNear = 3; // pages
    m_places.clear();
    std::size_t begin = 0; // in m_bytes
    for (std::size_t at = 0; at < leaves.size();) {
        std::size_t end = at + 1;
        while (end < leaves.size() && leaves[end] > leaves[end - 1] &&
               leaves[end] - leaves[end - 1] <= kNear)
            ++end;
        const std::uint32_t first = leaves[at];
        const std::uint32_t last = leaves[end - 1];
        if (first == 0 || last > m_layout.count)
            return false;
        const std::size_t size = std::size_t(last - first + 1) * m_layout.pageSize;
        // Numbers of variable length are looked at beyond the end of a page.
        if (m_bytes.size() < begin + size + 2 * kLongestVarint)
            m_bytes.resize(begin + size + 2 * kLongestVarint);
        const auto count =
            m_source.readAt(std::int64_t(first - 1) * std::int64_t(m_layout.pageSize),
                            std::span(m_bytes).subspan(begin, size));
        if (!count.ok())
            m_status = count.error();
        if (!count.ok() || *count != size)
            return false;
        for (; at < end; ++at)
            m_places.push_back(begin + std::size_t(leaves[at] - first) * m_layout.pageSize);
        begin += size;
    }
    return true;
}

bool SqliteLeafReader::readLeaf(const std::uint8_t *page, std::uint32_t number)
{
    constexpr std::size_t kLeafHeader = 8;
    constexpr std::size_t kLeastCell = 6; // with its place
    const std::size_t header = number == 1 ? kFirstHeader : 0;
    const std::uint64_t usable = m_layout.usable;
    const std::size_t cells = twoBytes(page + header + 3);
    const std::size_t cellsEnd = header + kLeafHeader + 2 * cells;
    if (page[header] != kLeaf || cells > (usable - kLeafHeader) / kLeastCell || cellsEnd > usable)
        return false;
    const std::uint64_t mostLocal = usable - 35;
    const std::uint64_t leastLocal = (usable - 12) * 32 / 255 - 23;
    m_rows.makeRoom(cells);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        const std::size_t place = twoBytes(page + header + kLeafHeader + 2 * cell);
        if (place < cellsEnd || place >= usable)
            return false;
        const std::uint8_t *at = page + place;
        Record record{};
        record.size = varint(at);
        record.rowId = static_cast<std::int64_t>(varint(at));
        record.bytes = at;
        record.local = record.size;
        const bool goesOn = record.size > mostLocal;
        if (goesOn) {
            const std::uint64_t local =
                leastLocal + (record.size - leastLocal) % (usable - kPageNumber);
            record.local = local <= mostLocal ? local : leastLocal;
        }
        const auto begin = static_cast<std::uint64_t>(at - page);
        if (begin + record.local + (goesOn ? kPageNumber : 0) > usable)
            return false;
        if (goesOn)
            record.next = fourBytes(at + record.local);
        if (!readRecord(record, m_rows.add()))
            return false;
    }
    return true;
}

bool SqliteLeafReader::readRecord(Record record, SqliteValue *values)
{
    const std::uint8_t *type = record.bytes;
    const std::uint64_t headerSize = record.local > 0 ? varint(type) : 0;
    if (headerSize > record.local) {
        if (headerSize > record.size || !joinPages(record))
            return false;
        type = record.bytes;
        (void)varint(type);
    }
    const std::uint8_t *const headerEnd = record.bytes + headerSize;
    if (type > headerEnd || headerSize == 0)
        return false;
    std::uint64_t begin = headerSize;
    for (const SqliteColumnPlace &column : m_columns) {
        const bool isWanted = column.to != SqliteColumnPlace::kNowhere;
        // Rows from before a column was added end early.
        const std::uint64_t kind = type < headerEnd ? varint(type) : 0;
        const std::uint64_t length = lengthOf(kind);
        if (type > headerEnd || length > record.size - begin)
            return false;
        // The header is read on where it lies.
        if (isWanted && begin + length > record.local && !joinPages(record))
            return false;
        if (isWanted) {
            SqliteValue &value = values[column.to];
            value = valueAt(record.bytes + begin, kind);
            if (column.isRowId)
                value = {record.rowId, {}, false};
            m_textBytes += value.text.size();
        }
        begin += length;
    }
    return true;
}

/// Copies a record that goes on in further pages into one piece.
bool SqliteLeafReader::joinPages(Record &record)
{
    constexpr std::uint64_t kLongest = std::uint64_t(1) << 28; // as SqliteFile lets SQLite read
    if (record.size > kLongest || record.local == record.size ||
        m_longTexts.fetch_sub(static_cast<std::int64_t>(record.size)) <
            static_cast<std::int64_t>(record.size))
        return false;
    std::string &whole = m_joined.emplace_back();
    whole.reserve(record.size + kLongestVarint);
    whole.assign(reinterpret_cast<const char *>(record.bytes), record.local);
    std::vector<std::byte> page(m_layout.pageSize);
    std::uint32_t next = record.next;
    while (whole.size() < record.size) {
        const auto read = readPage(m_source, m_layout, next, page);
        if (!read.ok())
            m_status = read.error();
        if (!read.ok() || !*read)
            return false;
        const auto *const from = reinterpret_cast<const char *>(page.data());
        next = fourBytes(reinterpret_cast<const std::uint8_t *>(from));
        whole.append(from + kPageNumber, std::min<std::uint64_t>(record.size - whole.size(),
                                                                 m_layout.usable - kPageNumber));
    }
    whole.append(kLongestVarint, '\0'); // numbers of variable length are looked at beyond the end
    record.bytes = reinterpret_cast<const std::uint8_t *>(whole.data());
    record.local = record.size;
    return true;
}

} // namespace vramscope
