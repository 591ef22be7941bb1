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

/// The references to the frames of stacks that a thread has come by.
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
            m_form.count = 0;
            if (dict() && form()) {
                m_scan.dicts.push_back({static_cast<std::uint32_t>(begin - m_begin),
                                        static_cast<std::uint32_t>(m_at - begin),
                                        static_cast<std::uint32_t>(m_scan.values.size()),
                                        m_lastForm});
                m_scan.values.insert(m_scan.values.end(), m_values.begin(),
                                     m_values.begin() + m_form.count);
            } else {
                m_at = begin;
            }
        }
    }

private:
    // The longest instruction of a key or number; so close to the end nothing is found.
    static constexpr std::ptrdiff_t kLongest = 2 + std::ptrdiff_t(kWordBytes);

    bool take(std::uint8_t opcode)
    {
        if (m_at == m_end || *m_at != opcode)
            return false;
        ++m_at;
        return true;
    }

    /// Goes behind the next EMPTY_DICT.
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

    bool dict()
    {
        m_form.isRemembered = take(kMemoize);
        if (!take(kMark))
            return false;
        while (!take(kSetItems)) {
            if (m_form.count == ScannedForm::kMostFields || m_end - m_at < kLongest)
                return false;
            const std::size_t size = referenceSize(*m_at);
            if (size == 0)
                return false;
            m_form.fields[m_form.count].key = referenceSlot(m_at);
            m_at += size;
            if (m_end - m_at < kLongest || !value())
                return false;
            ++m_form.count;
        }
        return m_form.count > 0;
    }

    bool add(ScannedKind kind, std::uint64_t value, bool isRemembered = false)
    {
        ScannedField &field = m_form.fields[m_form.count];
        field.kind = kind;
        field.isRemembered = isRemembered;
        m_values[m_form.count] = value;
        return true;
    }

    bool value()
    {
        const std::uint8_t opcode = *m_at;
        switch (opcode) {
        case kBinGet:
        case kLongBinGet: {
            const std::uint32_t slot = referenceSlot(m_at);
            m_at += referenceSize(opcode);
            return add(ScannedKind::Reference, slot);
        }
        case kBinInt1:
        case kBinInt2:
        case kBinInt:
        case kLong1:
            return numbers();
        case kShortBinUnicode:
            return text();
        case kEmptyList:
            return frames();
        case kNone:
            ++m_at;
            return add(ScannedKind::None, 0);
        case kNewTrue:
        case kNewFalse:
            ++m_at;
            return add(ScannedKind::Bool, opcode == kNewTrue);
        default:
            return false;
        }
    }

    /// The number at m_at, of which kLongest bytes are there.
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

    /// A number, or two that a tuple holds.
    bool numbers()
    {
        std::uint64_t first = 0;
        if (!number(first))
            return false;
        std::uint64_t second = 0;
        if (m_end - m_at <= kLongest || !number(second))
            return add(ScannedKind::Number, first);
        const Value pair[] = {{ValueKind::Int, first}, {ValueKind::Int, second}};
        if (!take(kTuple2) || !fitsPair(pair[0]) || !fitsPair(pair[1]))
            return false;
        return add(ScannedKind::Pair, makePair(pair[0], pair[1]).index(), take(kMemoize));
    }

    bool text()
    {
        const std::size_t size = m_at[1];
        if (static_cast<std::size_t>(m_end - m_at) < 2 + size)
            return false;
        const auto begin = static_cast<std::uint64_t>(m_at + 2 - m_begin);
        m_at += 2 + size;
        return add(ScannedKind::Text, begin << 8 | size, take(kMemoize));
    }

    bool frames()
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
            return add(ScannedKind::Frames, 0, isRemembered);
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
        const auto begin = static_cast<std::uint64_t>(m_at - m_begin);
        m_at += m_runs.size(static_cast<std::uint32_t>(number)) + 1;
        return add(ScannedKind::Frames, begin << 32 | number, isRemembered);
    }

    /// Whether one reference follows and goes into a list by itself.
    bool isLone() const
    {
        const std::size_t size = referenceSize(*m_at);
        return size > 0 && static_cast<std::size_t>(m_end - m_at) > size && m_at[size] == kAppend;
    }

    /// Finds m_lastForm, which m_form is: most dicts are like the one before. False where there are
    /// too many others.
    bool form()
    {
        const auto isSame = [&](const ScannedForm &other) {
            return other.count == m_form.count && other.isRemembered == m_form.isRemembered &&
                   std::memcmp(other.fields.data(), m_form.fields.data(),
                               other.count * sizeof(ScannedField)) == 0;
        };
        if (m_lastForm < m_scan.forms.size() && isSame(m_scan.forms[m_lastForm]))
            return true;
        const auto known = std::ranges::find_if(m_scan.forms, isSame);
        m_lastForm = static_cast<std::uint32_t>(known - m_scan.forms.begin());
        if (known == m_scan.forms.end() && m_lastForm < kMostForms)
            m_scan.forms.push_back(m_form);
        return m_lastForm < kMostForms;
    }

    const std::uint8_t *m_begin;
    const std::uint8_t *m_at;
    const std::uint8_t *m_end;
    DictScan &m_scan;
    RunTable &m_runs;
    ScannedForm m_form; // of the dict at hand, and its values
    std::array<std::uint64_t, ScannedForm::kMostFields> m_values;
    std::uint32_t m_lastForm = 0;
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
    scan.values.clear();
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
