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
constexpr std::uint64_t kWhole = 6; // the type of a number of eight bytes

std::uint32_t twoBytes(const std::uint8_t *at)
{
    return std::uint32_t(at[0]) << 8 | at[1];
}

std::uint32_t fourBytes(const std::uint8_t *at)
{
    return twoBytes(at) << 16 | twoBytes(at + 2);
}

/// The bytes of a page, from the header of the file.
std::int64_t pageSizeOf(const std::uint8_t *header)
{
    constexpr std::int64_t kLargest = 65'536; // written as 1
    const std::uint32_t stated = twoBytes(header + 16);
    return stated == 1 ? kLargest : stated;
}

/// A number of variable length; moves `at` past it. Up to kLongestVarint bytes are read.
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

/// The bytes of a value by its type.
std::uint64_t lengthOf(std::uint64_t type)
{
    constexpr std::array<std::uint8_t, SqliteValue::kFirstText> kNumbers{0, 1, 2, 3, 4, 6, 8, 8};
    return type < SqliteValue::kFirstText ? kNumbers[type] : (type - SqliteValue::kFirstText) / 2;
}

// By type: which of the eight bytes at a value count, and what is added. No bytes count if the
// value is not a number or takes no bytes (0 and 1).
constexpr std::int64_t kAll = -1;
constexpr std::array<std::int64_t, 10> kMask{0, kAll, kAll, kAll, kAll, kAll, kAll, 0, 0, 0};
constexpr std::array<std::int64_t, 10> kAdded{kNoNumber, 0, 0, 0, 0, 0, 0, kNoNumber, 0, 1};

/// The value of a type below kFirstText at `at`. Reads eight bytes, the highest first; the lowest
/// `shift` bits belong to other values.
SqliteValue valueAt(const std::uint8_t *at, std::uint8_t shift, std::uint8_t type)
{
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, sizeof bytes);
    if constexpr (std::endian::native == std::endian::little)
        bytes = __builtin_bswap64(bytes);
    if (type == SqliteValue::kReal) [[unlikely]]
        return SqliteValue::ofReal(std::bit_cast<double>(bytes));
    return {((static_cast<std::int64_t>(bytes) >> shift) & kMask[type]) + kAdded[type], type};
}

/// Reads a page of the file; less than a whole one at the end of the file.
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

/// Walks down to the leaves of one tree. The first way down shows the depth of all leaves.
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
                // Each page has one place: more pages than the file has form a circle.
                if (!*read || below.size() > m_layout.count)
                    return SqlitePagesState::Damaged;
                constexpr std::size_t kAsks = 64; // pages between two calls
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
    /// 0 if the page does not exist.
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

std::optional<std::int64_t> SqlitePageLayout::statedSize(std::span<const std::byte> header)
{
    const auto *const at = reinterpret_cast<const std::uint8_t *>(header.data());
    const std::int64_t pages = fourBytes(at + 28);
    const bool isValid = fourBytes(at + 24) == fourBytes(at + 92);
    return isValid && pages > 0 ? std::optional(pageSizeOf(at) * pages) : std::nullopt;
}

std::optional<SqlitePageLayout> SqlitePageLayout::of(std::span<const std::byte> header,
                                                     std::int64_t fileSize)
{
    constexpr std::size_t kEncoding = 56;
    constexpr std::uint32_t kUtf8 = 1;
    constexpr std::uint32_t kSmallest = 512;
    constexpr std::uint32_t kLeastUsable = 480;
    if (header.size() < kFirstHeader || fileSize < 0)
        return std::nullopt;
    const auto *const at = reinterpret_cast<const std::uint8_t *>(header.data());
    SqlitePageLayout layout;
    layout.pageSize = static_cast<std::uint32_t>(pageSizeOf(at));
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

/// The payload of a cell: its header and values, with the first bytes in memory.
struct SqliteLeafReader::Record
{
    const std::uint8_t *bytes;
    std::uint64_t local; // bytes at hand
    std::uint64_t size;  // of all
    std::uint32_t next;  // the page on which it continues
    std::int64_t rowId;
};

SqliteLeafReader::SqliteLeafReader(SeekableSource &source, const SqlitePageLayout &layout,
                                   std::span<const SqliteColumnPlace> columns, std::size_t wanted,
                                   std::atomic<std::int64_t> &longTexts)
    : m_source(source)
    , m_layout(layout)
    , m_columns(columns)
    , m_longTexts(longTexts)
    , m_rows(wanted)
{
    const auto rowId = std::ranges::find_if(columns, &SqliteColumnPlace::isRowId);
    if (rowId != columns.end())
        m_rowIdTo = rowId->to;
}

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

/// Pages of a table mostly follow each other: consecutive or nearly consecutive ones are read at
/// once.
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
        // Reading numbers of variable length may go beyond the end of a page.
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
    const std::uint8_t *header = record.bytes;
    const std::uint64_t headerSize = record.local > 0 ? varint(header) : 0;
    if (headerSize > record.local && (headerSize > record.size || !joinPages(record)))
        return false;
    const Layout *const layout = layoutOf(record.bytes, headerSize);
    if (layout == nullptr || layout->size > record.size ||
        (layout->atHand > record.local && !joinPages(record)))
        return false;
    for (const Layout::Number &number : layout->numbers)
        values[number.to] = valueAt(record.bytes + number.begin, number.shift, number.type);
    for (const Layout::Text &text : layout->texts)
        values[text.to] = SqliteValue(
            std::string_view(reinterpret_cast<const char *>(record.bytes) + text.begin, text.size));
    m_textBytes += layout->textBytes;
    if (m_rowIdTo != SqliteColumnPlace::kNowhere)
        values[m_rowIdTo] = SqliteValue(record.rowId, kWhole);
    return true;
}

/// Null if the header is invalid.
const SqliteLeafReader::Layout *SqliteLeafReader::layoutOf(const std::uint8_t *header,
                                                           std::uint64_t size)
{
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
    std::array<std::uint64_t, Layout::kWords> words{};
    if (size == 0)
        return nullptr;
    if (size > sizeof words)
        return takeApart(header, size, m_longLayout) ? &m_longLayout : nullptr;
    const std::size_t count = (size + 7) / 8;
    std::uint64_t hash = size;
    for (std::size_t at = 0; at < count; ++at) {
        std::memcpy(&words[at], header + 8 * at, 8);
        if (at + 1 == count) // the data after the header
            words[at] &= ~std::uint64_t(0) >> (8 * (8 * count - size));
        hash = (hash ^ words[at]) * kFactor;
        hash ^= hash >> 32;
    }
    Layout &layout = m_layouts[hash % m_layouts.size()];
    if (layout.headerSize != size || layout.header != words) {
        layout.headerSize = 0;
        if (!takeApart(header, size, layout))
            return nullptr;
        layout.header = words;
        layout.headerSize = size;
    }
    return &layout;
}

bool SqliteLeafReader::takeApart(const std::uint8_t *header, std::uint64_t size, Layout &layout)
{
    layout.numbers.clear();
    layout.texts.clear();
    layout.textBytes = 0;
    layout.atHand = 0;
    const std::uint8_t *const end = header + size;
    const std::uint8_t *at = header;
    (void)varint(at); // its size
    if (at > end)
        return false;
    constexpr std::uint64_t kMost = std::uint64_t(1) << 62;
    std::uint64_t begin = size;
    for (const SqliteColumnPlace &column : m_columns) {
        // Rows from before a column was added end early.
        std::uint64_t type = at < end ? varint(at) : SqliteValue::kNull;
        const std::uint64_t length = lengthOf(type);
        if (at > end || length > kMost - begin)
            return false;
        const std::uint64_t next = begin + length;
        if (column.to == SqliteColumnPlace::kNowhere) {
            begin = next;
            continue;
        }
        layout.atHand = next;
        if (type >= SqliteValue::kFirstText) {
            layout.texts.push_back({begin, length, column.to});
            layout.textBytes += column.isRowId ? 0 : length;
        } else {
            type = type > 9 ? SqliteValue::kNull : type; // types that are reserved
            // Values farther back are not in any record that can be joined.
            layout.numbers.push_back({static_cast<std::uint32_t>(begin),
                                      static_cast<std::uint16_t>(column.to),
                                      static_cast<std::uint8_t>(length > 0 ? 64 - 8 * length : 0),
                                      static_cast<std::uint8_t>(type)});
        }
        begin = next;
    }
    layout.size = begin;
    return true;
}

/// Joins a record that continues on further pages.
bool SqliteLeafReader::joinPages(Record &record)
{
    constexpr std::uint64_t kLongest = std::uint64_t(1) << 28; // SqliteFile's limit for SQLite
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
    whole.append(kLongestVarint, '\0'); // reading numbers of variable length may go beyond the end
    record.bytes = reinterpret_cast<const std::uint8_t *>(whole.data());
    record.local = record.size;
    return true;
}

} // namespace vramscope
