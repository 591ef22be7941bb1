// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/dict_scan.h"

#include "core/readers/pickle_heap.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace vramscope::pickle {

namespace {

constexpr std::size_t kMostForms = 32; // which are compared with each other
constexpr std::size_t kMostRunBytes = std::size_t(16) << 20;

/// The references to the frames of stacks that a thread has seen.
struct KnownRuns
{
    RunTable runs{kMostRunBytes};
    std::uint64_t numbering = next();

    void beginAnew()
    {
        runs.clear();
        numbering = next();
    }

private:
    static std::uint64_t next()
    {
        static std::atomic<std::uint64_t> last = 0;
        return ++last;
    }
};

class DictScanner
{
public:
    DictScanner(std::span<const std::uint8_t> bytes, DictScan &scan, RunTable &runs)
        : m_begin(bytes.data())
        , m_at(bytes.data())
        , m_end(bytes.data() + bytes.size())
        , m_scan(scan)
        , m_runs(runs)
    {
    }

    void run()
    {
        while (find()) {
            const std::uint8_t *const begin = m_at;
            if (m_scan.values.size() - m_used < ScannedForm::kMostFields)
                m_scan.values.resize(m_used + kMoreValues);
            if (dict(m_scan.values.data() + m_used) && form()) {
                m_scan.dicts.push_back({static_cast<std::uint32_t>(begin - m_begin),
                                        static_cast<std::uint32_t>(m_at - begin),
                                        static_cast<std::uint32_t>(m_used), m_lastForm});
                m_used += m_form.count;
            } else {
                m_at = begin;
            }
        }
    }

private:
    static constexpr std::size_t kMoreValues = 4096;
    // The longest instruction of a key or number.
    static constexpr std::ptrdiff_t kLongest = 2 + std::ptrdiff_t(kWordBytes);
    // A key and its value, if that is not a text or list; nearer to the end nothing is found.
    static constexpr std::ptrdiff_t kLongestPair = 3 * kLongest;

    /// The bytes of a key, to find them again.
    struct KeyBytes
    {
        std::uint64_t word = 0; ///< with zeros after the key
        std::uint64_t mask = 0;
        std::size_t size = 0; ///< 0: none yet
    };

    bool take(std::uint8_t opcode)
    {
        if (m_at == m_end || *m_at != opcode)
            return false;
        ++m_at;
        return true;
    }

    /// Skips past the next EMPTY_DICT.
    bool find()
    {
        if (take(kEmptyDict))
            return true;
        const auto left = static_cast<std::size_t>(m_end - m_at);
        const void *const found = left > 0 ? std::memchr(m_at, kEmptyDict, left) : nullptr;
        if (found == nullptr)
            return false;
        m_at = static_cast<const std::uint8_t *>(found) + 1;
        return true;
    }

    /// Reads a dict into m_form, which has the previous dict's form: they are usually equal.
    bool dict(std::uint64_t *values)
    {
        const bool isRemembered = take(kMemoize);
        m_isOther |= isRemembered != m_form.isRemembered;
        m_form.isRemembered = isRemembered;
        if (!take(kMark))
            return false;
        std::uint8_t count = 0;
        for (;; ++count) {
            if (m_end - m_at < kLongestPair)
                return false;
            if (*m_at == kSetItems)
                break;
            if (count == ScannedForm::kMostFields || !key(m_form.fields[count], m_keys[count]) ||
                !value(m_form.fields[count], values[count]))
                return false;
        }
        ++m_at;
        m_isOther |= count != m_form.count;
        m_form.count = count;
        return count > 0;
    }

    bool key(ScannedField &field, KeyBytes &known)
    {
        const auto word = littleEndian<std::uint64_t>(m_at);
        if (known.size == 0 || (word & known.mask) != known.word) {
            const std::size_t size = referenceSize(*m_at);
            if (size == 0)
                return false;
            const std::uint64_t mask = (std::uint64_t(1) << 8 * size) - 1;
            known = {word & mask, mask, size};
            field.key = referenceSlot(m_at);
            m_isOther = true;
        }
        m_at += known.size;
        return true;
    }

    bool is(ScannedField &field, ScannedKind kind, bool isRemembered = false)
    {
        if (field.kind != kind || field.isRemembered != isRemembered) {
            field.kind = kind;
            field.isRemembered = isRemembered;
            m_isOther = true;
        }
        return true;
    }

    bool value(ScannedField &field, std::uint64_t &bits)
    {
        const std::uint8_t opcode = *m_at;
        switch (opcode) {
        case kBinGet:
        case kLongBinGet:
            bits = referenceSlot(m_at);
            m_at += referenceSize(opcode);
            return is(field, ScannedKind::Reference);
        case kShortBinUnicode:
            return text(field, bits);
        case kEmptyList:
            return frames(field, bits);
        case kNone:
            ++m_at;
            bits = 0;
            return is(field, ScannedKind::None);
        case kNewTrue:
        case kNewFalse:
            ++m_at;
            bits = opcode == kNewTrue;
            return is(field, ScannedKind::Bool);
        default:
            return number(bits) &&
                   (!isNumber(*m_at) ? is(field, ScannedKind::Number) : pair(field, bits));
        }
    }

    static bool isNumber(std::uint8_t opcode)
    {
        return opcode == kBinInt1 || opcode == kBinInt2 || opcode == kBinInt || opcode == kLong1;
    }

    /// Reads the number at m_at, with kLongest bytes available.
    bool number(std::uint64_t &bits)
    {
        switch (*m_at) {
        case kBinInt1:
            bits = m_at[1];
            m_at += 2;
            return true;
        case kBinInt2:
            bits = littleEndian<std::uint16_t>(m_at + 1);
            m_at += 3;
            return true;
        case kBinInt:
            bits = static_cast<std::uint64_t>(std::int64_t(littleEndian<std::int32_t>(m_at + 1)));
            m_at += 5;
            return true;
        case kLong1:
            if (m_at[1] > kWordBytes)
                return false;
            bits = signedWord(littleEndian<std::uint64_t>(m_at + 2), m_at[1]);
            m_at += 2 + m_at[1];
            return true;
        default:
            return false;
        }
    }

    /// Reads the second number of a tuple of two.
    bool pair(ScannedField &field, std::uint64_t &bits)
    {
        std::uint64_t second = 0;
        if (!number(second))
            return false;
        const Value pair[] = {{ValueKind::Int, bits}, {ValueKind::Int, second}};
        if (!take(kTuple2) || !fitsPair(pair[0]) || !fitsPair(pair[1]))
            return false;
        bits = makePair(pair[0], pair[1]).index();
        return is(field, ScannedKind::Pair, take(kMemoize));
    }

    bool text(ScannedField &field, std::uint64_t &bits)
    {
        const std::size_t size = m_at[1];
        if (static_cast<std::size_t>(m_end - m_at) < 2 + size)
            return false;
        bits = static_cast<std::uint64_t>(m_at + 2 - m_begin) << 8 | size;
        m_at += 2 + size;
        return is(field, ScannedKind::Text, take(kMemoize));
    }

    bool frames(ScannedField &field, std::uint64_t &bits)
    {
        ++m_at;
        const bool isRemembered = take(kMemoize);
        if (m_at == m_end)
            return false;
        std::uint8_t end = kAppends;
        if (*m_at == kMark) {
            ++m_at;
        } else if (isLone()) {
            end = kAppend;
        } else {
            bits = 0;
            return is(field, ScannedKind::Frames, isRemembered);
        }
        const std::span ahead(m_at, m_end);
        std::uint64_t number = m_runs.expected(ahead, end);
        if (number == 0) {
            const auto run = referenceRun(ahead);
            if (run.empty() || run.size() == ahead.size() || ahead[run.size()] != end)
                return false;
            number = m_runs.number(run);
        }
        if (number == 0)
            return false;
        bits = static_cast<std::uint64_t>(m_at - m_begin) << 32 | number;
        m_at += m_runs.size(static_cast<std::uint32_t>(number)) + 1;
        return is(field, ScannedKind::Frames, isRemembered);
    }

    /// Whether one reference follows and is appended to a list by itself.
    bool isLone() const
    {
        const std::size_t size = referenceSize(*m_at);
        return size > 0 && static_cast<std::size_t>(m_end - m_at) > size && m_at[size] == kAppend;
    }

    /// Finds the place of m_form: most dicts have the form of the previous one, or of the one
    /// before. False if there are too many forms.
    bool form()
    {
        if (!m_isOther)
            return true;
        m_isOther = false;
        std::swap(m_lastForm, m_formBefore);
        if (m_lastForm < m_scan.forms.size() && isForm(m_scan.forms[m_lastForm]))
            return true;
        const auto known = std::ranges::find_if(
            m_scan.forms, [this](const ScannedForm &other) { return isForm(other); });
        m_lastForm = static_cast<std::uint32_t>(known - m_scan.forms.begin());
        if (known == m_scan.forms.end() && m_lastForm < kMostForms)
            m_scan.forms.push_back(m_form);
        m_isOther = m_lastForm == kMostForms;
        return !m_isOther;
    }

    [[nodiscard]] bool isForm(const ScannedForm &other) const
    {
        return other.count == m_form.count && other.isRemembered == m_form.isRemembered &&
               std::memcmp(other.fields.data(), m_form.fields.data(),
                           other.count * sizeof(ScannedField)) == 0;
    }

    const std::uint8_t *m_begin;
    const std::uint8_t *m_at;
    const std::uint8_t *m_end;
    DictScan &m_scan;
    std::size_t m_used = 0; // of the values
    RunTable &m_runs;
    ScannedForm m_form; // of the current dict, and its keys
    std::array<KeyBytes, ScannedForm::kMostFields> m_keys;
    bool m_isOther = true; // m_form differs from m_lastForm, as far as it was read
    std::uint32_t m_lastForm = 0;
    std::uint32_t m_formBefore = 0;
};

} // namespace

std::span<const std::uint8_t> referenceRun(std::span<const std::uint8_t> bytes)
{
    std::size_t last = 0;
    while (last < bytes.size()) {
        const std::size_t size = referenceSize(bytes[last]);
        if (size == 0 || bytes.size() - last < size)
            break;
        last += size;
    }
    return bytes.first(last);
}

void scanDicts(std::span<const std::uint8_t> bytes, std::any &made, std::any &kept)
{
    if (!made.has_value())
        made.emplace<DictScan>();
    if (!kept.has_value())
        kept.emplace<KnownRuns>();
    DictScan &scan = *std::any_cast<DictScan>(&made);
    KnownRuns &known = *std::any_cast<KnownRuns>(&kept);
    scan.dicts.clear();
    if (scan.forms.size() == kMostForms) {
        scan.forms.clear();
        ++scan.age;
    }
    if (known.runs.byteCount() > kMostRunBytes / 2)
        known.beginAnew();
    scan.numbering = known.numbering;
    scan.size = bytes.size();
    DictScanner(bytes, scan, known.runs).run();
}

} // namespace vramscope::pickle
