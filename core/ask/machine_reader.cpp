// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/machine_reader.h"

#include "core/ask/lengths.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/gpu_names.h"
#include "core/catalog/instances.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace vramscope {

bool isAnyWord(const Reading &r, std::size_t at, std::span<const std::string_view> names)
{
    return r.isFree(at) && isOneOf(r.words[at].text, names);
}

bool isArticle(const Reading &r, std::size_t at)
{
    return r.isWord(at, "a") || r.isWord(at, "an");
}

WrittenSize sizeAt(const Reading &r, std::size_t at)
{
    constexpr std::array<std::string_view, 5> kUnits = {"gb", "g", "gib", "gig", "gigs"};
    if (!r.isFree(at) || !isDigit(r.words[at].text.front()))
        return {};
    const std::string &word = r.words[at].text;
    double number = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || number <= 0 || number > 1e6)
        return {};
    const std::string_view unit =
        std::string_view(word).substr(static_cast<std::size_t>(rest - word.data()));
    const bool isApart =
        unit.empty() && at + 1 < r.words.size() && r.isFree(at + 1) && !r.words[at + 1].afterBreak;
    const std::string_view meant = isApart ? std::string_view(r.words[at + 1].text) : unit;
    const bool isFrench = meant == "go" && number >= 4 && number <= 2048; // "16 Go"
    if (isOneOf(meant, kUnits) || isFrench)
        return {std::llround(number), isApart ? 2U : 1U, number};
    const std::size_t behind = at + (isApart ? 2U : 1U);
    const bool isOfRam = behind < r.words.size() && r.words[behind].text == "ram";
    if (meant == "tb" || (meant == "t" && isOfRam)) // "1.2T ram", and 1T is a model
        return {std::llround(number * 1000), isApart ? 2U : 1U, number * 1000};
    if (meant == "+" && isApart && sizeAt(r, at + 2).words > 0) // "24 + 16 GB"
        return {std::llround(number), 1, number};
    return {};
}

bool isOfHost(const Reading &r, std::size_t first, std::size_t after)
{
    for (std::size_t at = after; at < after + 3; ++at) { // "64 GB of system memory"
        if (isAnyWord(r, at, kDeviceWords))
            return false;
        if (isAnyWord(r, at, kHostWords))
            return true;
        if (!r.isWord(at, "of") && !r.isWord(at, "de"))
            break;
    }
    return first > 0 && isAnyWord(r, first - 1, kHostWords);
}

namespace {

std::string wordsAt(const Reading &r, std::size_t at, std::size_t count)
{
    std::string words;
    for (std::size_t i = at; i < at + count; ++i)
        words += (words.empty() ? "" : " ") + r.words[i].text;
    return words;
}

bool isGpuName(const std::string &words)
{
    const NamedGpu named = findNamedGpu(words);
    return named.gpu || !named.others.empty();
}

/// Whether the number at `at` is the value of a keyword before it: "batch 4 a100".
bool isOfKeyword(const Reading &r, std::size_t at)
{
    for (std::size_t count = 1; count <= std::min(at, kLongestPhrase); ++count) {
        const std::size_t first = at - count;
        if (r.used[first] || r.words[first + 1].afterBreak)
            return false;
        const auto keywords = keywordsOf(r.key(first, count));
        if (!keywords.empty()) // "tp 8 pp 4" has a number each, and in "4096 bs 4" the 4 is its
            return first == 0 || !r.number(first - 1) || r.words[first].afterBreak ||
                   isLengthRather(keywords.front(), r.number(first - 1)) ||
                   isOfKeyword(r, first - 1);
    }
    return false;
}

bool isConsumers(const GpuPreset &gpu)
{
    return gpu.name.starts_with("rtx-") || gpu.name.starts_with("rx-") ||
           gpu.name.starts_with("gtx-") || gpu.name.starts_with("arc-");
}

/// In "131072 h100" and "2048 4090" the number is no count of GPUs, of which nobody has so many.
bool isLengthBeforeGpu(const Reading &r, std::size_t at)
{
    constexpr auto kCounted =
        std::to_array<std::string_view>({"node", "nodes", "x", "gpu", "gpus", "cards"});
    constexpr std::int64_t kMostUncounted = 2048; // of one kind, without "x" or "GPUs"
    constexpr std::int64_t kMostOfConsumers = 32;
    if (isAnyWord(r, at + 1, kCounted))
        return false;
    const std::int64_t number = r.number(at).value_or(0);
    const GpuPreset *gpu = nullptr;
    for (std::size_t length = r.freeFrom(at + 1, kMostGpuWords); length > 0 && !gpu; --length)
        gpu = findNamedGpu(wordsAt(r, at + 1, length)).gpu;
    constexpr std::int64_t kStep = 128; // of lengths
    return (number > kMostUncounted && number % kStep == 0) ||
           (gpu && isConsumers(*gpu) && number > kMostOfConsumers);
}

/// In "RTX 2060" the number is the name of a GPU, whether it is known or not.
bool isBehindBrand(const Reading &r, std::size_t at)
{
    constexpr auto kBrands = std::to_array<std::string_view>(
        {"rtx", "gtx", "rx", "arc", "geforce", "radeon", "quadro", "tesla", "instinct"});
    return at > 0 && isOneOf(r.words[at - 1].text, kBrands);
}

/// The parts of one naming of GPUs, word by word.
class MachineReader
{
public:
    MachineReader(Reading &reading, std::size_t begin)
        : r(reading)
        , m_begin(begin)
        , m_at(begin)
    {
    }

    /// False where no GPUs are named at `begin`.
    bool read()
    {
        if (r.isWord(m_begin, "+")) // joins what stands before it
            return false;
        if (takeInstance() || takeSlice())
            return true;
        takeCounts();
        takeSize();
        takeName(); // "Quadro RTX 6000" is another than "NVIDIA RTX 6000"
        while (!m_machine.isNamed && r.isFree(m_at) && isMaker(r.words[m_at].text)) {
            ++m_at;
            takeName();
        }
        takeTimesBehind();
        takeNodesBehind();
        const std::size_t before = m_at;
        while (isAnyWord(r, m_at, kDeviceWords) && (m_at == before || !m_machine.isNamed))
            ++m_at;
        const bool saysGpus = m_at > before;
        m_machine.saysDevice = saysGpus;
        const bool isNamed = m_machine.isNamed || m_machine.gigabytes > 0;
        const bool isOneBox =
            m_machine.saysNodes && m_machine.counts == std::vector{std::int64_t(1)};
        if (!isNamed && ((!(saysGpus && !m_machine.counts.empty()) && !m_machine.saysNodes) ||
                         (isOneBox && !saysGpus)))
            return false; // "both in one box"
        keep();
        return true;
    }

private:
    bool isNode() const
    {
        constexpr auto kNodes = std::to_array<std::string_view>(
            {"node",   "nodes", "server",   "servers",   "machine", "machines", "box",
             "boxes",  "hosts", "vms",      "knoten",    "rechner", "机",       "台",
             "台机器", "机器",  "台服务器", "maschinen", "nodos",   "noeuds",   "nœuds"});
        return isAnyWord(r, m_at, kNodes);
    }

    /// "p5.48xlarge", "2x g5.12xlarge", "colab T4"
    bool takeInstance()
    {
        std::size_t at = m_begin;
        if (isArticle(r, at))
            return false;
        const auto count = r.number(at);
        if (count && !isOfKeyword(r, at))
            at += r.isWord(at + 1, "x") || r.isWord(at + 1, "of") ? 2U : 1U;
        for (const std::size_t from : {at, m_begin}) {
            for (std::size_t length = r.freeFrom(from, kMostInstanceWords); length > 0; --length) {
                const std::optional<CloudInstance> instance =
                    findInstance(wordsAt(r, from, length));
                if (!instance)
                    continue;
                takeInstance(*instance, from > m_begin ? *count : 1);
                m_at = from + length;
                takeSizeOfInstance();
                keep();
                return true;
            }
        }
        return false;
    }

    /// "DGX A100, the 40 GB ones": which of the GPUs that it is sold with.
    void takeSizeOfInstance()
    {
        std::size_t skip = 0;
        while (skip < kMostSkipped && isSkipped(m_at + skip))
            ++skip;
        const WrittenSize size = sizeAt(r, m_at + skip);
        for (const GpuPreset *other : m_machine.others) {
            if (size.words == 0 || soldGigabytes(*other) != size.gigabytes)
                continue;
            m_machine.gpu = other;
            m_machine.others.clear();
            m_at += skip + size.words;
            return;
        }
    }

    /// "a 3g.40gb MIG slice of an H100": a profile of MIG, of the GPU that is named behind it or
    /// before it, else of the first that has it.
    bool takeSlice()
    {
        constexpr std::size_t kNear = 8; // words
        const std::string_view profile = r.words[m_begin].text;
        if (profile.size() < 6 || profile[1] != 'g' || profile[2] != '.')
            return false;
        const std::size_t from = m_begin > kNear ? m_begin - kNear : 0;
        const std::size_t end = std::min(m_begin + kNear, r.words.size());
        const GpuPreset *found = nullptr;
        for (const GpuPreset &gpu : gpuPresets()) {
            if (!isSlice(gpu) || !gpu.name.ends_with("mig-" + std::string(profile)))
                continue;
            found = found ? found : &gpu;
            for (std::size_t at = from; at < end; ++at) {
                const std::string &word = r.words[at].text;
                if (word.size() > 2 && isDigit(word.back()) && gpu.name.starts_with(word))
                    found = &gpu;
            }
        }
        if (!found)
            return false;
        m_machine.gpu = found;
        m_machine.isNamed = true;
        m_at = m_begin + 1;
        while (m_at < end && r.isFree(m_at) &&
               (isOrdinary(r.words[m_at].text) || r.isWord(m_at, "mig") ||
                r.isWord(m_at, "slice") || r.isWord(m_at, "instance") ||
                found->name.starts_with(r.words[m_at].text)))
            ++m_at;
        keep();
        return true;
    }

    void takeInstance(const CloudInstance &instance, std::int64_t machines)
    {
        m_machine.gpu = instance.gpu;
        m_machine.others = instance.others;
        m_machine.isNamed = true;
        m_machine.isInstance = true;
        m_machine.remark = " (" + instance.name + ")";
        m_machine.hostBytes = instance.hostMemoryBytes;
        m_machine.counts = {instance.gpus};
        if (machines > 1)
            m_machine.counts = {machines, instance.gpus};
    }

    void keep()
    {
        m_machine.first = m_begin;
        m_machine.last = m_at - 1;
        r.take(m_begin, m_at - m_begin);
        m_machine.piece = r.asked.pieces.size() - 1;
        r.machines.push_back(std::move(m_machine));
    }

    void takeCounts()
    {
        constexpr auto kBetween =
            std::to_array<std::string_view>({"of", "with", "x", "à", "mit", "pcs", "pieces",
                                             "units", "stück", "times", "卡", "张", "块"});
        while (m_machine.counts.size() < 2) {
            const auto count = r.number(m_at);
            if (!count || beginsName() || isLengthBeforeGpu(r, m_at) || isBehindBrand(r, m_at) ||
                sizeAt(r, m_at).words > 0 || (m_machine.counts.empty() && isOfKeyword(r, m_at)))
                return;
            if (isBreak(m_at + 1)) // "@ 2048, 24 GB card"
                return;
            if (*count == 0 && m_at == m_begin && r.isWord(m_at + 1, "nvidia")) { // nvidia-smi
                ++m_at;
                return;
            }
            const bool isWordOfNumber = numberWord(r.words[m_at].text).has_value();
            m_machine.counts.push_back(*count);
            ++m_at;
            m_at += adjectivesBefore();
            if (isNode()) {
                m_machine.saysNodes = true;
                ++m_at;
                if (isAnyWord(r, m_at, kBetween))
                    ++m_at;
            } else if ((r.isWord(m_at, "of") && !isWordOfNumber) || r.isWord(m_at, "with") ||
                       r.isWord(m_at, "mit")) {
                return;
            } else if (isAnyWord(r, m_at, kBetween)) {
                ++m_at;
            }
        }
    }

    bool isBreak(std::size_t at) const { return at < r.words.size() && r.words[at].afterBreak; }

    /// In "3 old GTX 1080" and "four of my 3090s" the words between count and name.
    std::size_t adjectivesBefore() const
    {
        constexpr std::size_t kMost = 3;
        for (std::size_t count = 0; count <= kMost && r.freeFrom(m_at, count + 1) > count;
             ++count) {
            if (count > 0 && sizeAt(r, m_at + count).words > 0)
                return count; // "two of those 48 GB 4090s"
            for (std::size_t length = r.freeFrom(m_at + count, kMostGpuWords); length > 0; --length)
                if (!isPlainSpeech(m_at + count, length) &&
                    isGpuName(wordsAt(r, m_at + count, length)))
                    return count;
            if (!isOrdinary(r.words[m_at + count].text) || isMaker(r.words[m_at + count].text) ||
                isAnyWord(r, m_at + count, kJoining) || isAnyWord(r, m_at + count, kOr) ||
                isArticle(r, m_at + count) || r.isWord(m_at + count, "x") ||
                r.isWord(m_at + count, "with") || r.isWord(m_at + count, "on"))
                return 0;
        }
        return 0;
    }

    /// In "7900 XTX" and "4090" the number is the name.
    bool beginsName() const
    {
        for (std::size_t length = std::min<std::size_t>(r.freeFrom(m_at, 3), 3); length > 0;
             --length)
            if (isGpuName(wordsAt(r, m_at, length)))
                return true;
        return false;
    }

    void takeSize()
    {
        const WrittenSize size = sizeAt(r, m_at);
        const bool isOfCache =
            r.isWord(m_at + size.words, "kv") ||
            (m_at > 1 && r.isWord(m_at - 1, "memory") && r.isWord(m_at - 2, "cache"));
        const bool isWanted =
            isOfCache || (m_at > 0 && r.words[m_at - 1].text.starts_with("allocat"));
        if (size.words == 0 || isWanted || isOfHost(r, m_at, m_at + size.words))
            return; // "Tried to allocate 2.00 GiB", "16.0 GiB KV cache is needed"
        m_machine.gigabytes = size.gigabytes;
        m_at += size.words;
    }

    std::string upperWords(std::size_t at, std::size_t count) const
    {
        std::string words;
        for (std::size_t i = at; i < at + count; ++i)
            words += ' ' + r.words[i].text;
        for (char &c : words)
            c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        return words;
    }

    /// The longest name that the words from here on have, past "card" behind a size, and the GPU of
    /// that name and of the size around it: "48 GB A6000", "M4 Max with 36 GB".
    void takeName()
    {
        for (std::size_t skip = 0; skip < 2 && !isArticle(r, m_at + skip); ++skip) {
            for (std::size_t length = r.freeFrom(m_at + skip, kMostGpuWords); length > 0;
                 --length) {
                if (r.isWord(m_at + skip + length - 1, "+"))
                    continue; // joins what stands behind it
                if (length > 1 && (isPlainSpeech(m_at + skip, length) ||
                                   isKeywordOfNumber(m_at + skip + length - 1)))
                    continue; // "or in total" is no Orin, and "4080 Super r=8" has a rank
                std::string name = wordsAt(r, m_at + skip, length);
                const bool isPlural = name.size() >= 5 && name.ends_with('s') &&
                                      isDigit(name[name.size() - 5]) && m_machine.all() > 1;
                if (isPlural || (!isGpuName(name) && name.ends_with('s')))
                    name.pop_back(); // "DGX Sparks", and "two 4080s" are no two 4080 Super
                if (!isGpuName(name))
                    continue;
                const std::size_t first = m_at + skip;
                m_at = first + length;
                takeSizeBehind(name);
                m_machine.isNamed = true;
                chooseGpu(name, first, length);
                return;
            }
            if (m_machine.gigabytes == 0 || !isAnyWord(r, m_at, kDeviceWords))
                return;
        }
    }

    bool isKeywordOfNumber(std::size_t at) const
    {
        return r.number(at + 1) && !keywordsOf(r.key(at, 1)).empty();
    }

    bool isPlainSpeech(std::size_t at, std::size_t count) const
    {
        return std::all_of(
            r.words.begin() + static_cast<std::ptrdiff_t>(at),
            r.words.begin() + static_cast<std::ptrdiff_t>(at + count),
            [](const SentenceWord &word) { return isOrdinary(word.text) && !isMaker(word.text); });
    }

    /// Whether the sentence is about a laptop, whose GPUs have the names of cards.
    bool isOfLaptop() const
    {
        constexpr auto kLaptops = std::to_array<std::string_view>(
            {"laptop", "notebook", "laptops", "gaming-laptop", "笔记本"});
        return std::ranges::any_of(
            r.words, [&](const SentenceWord &word) { return isOneOf(word.text, kLaptops); });
    }

    void chooseGpu(const std::string &name, std::size_t first, std::size_t length)
    {
        NamedGpu named = findNamedGpu(name, m_machine.gigabytes);
        const NamedGpu mobile = isOfLaptop() ? findNamedGpu(name + " laptop") : NamedGpu();
        if (mobile.gpu &&
            (m_machine.gigabytes == 0 || m_machine.gigabytes == soldGigabytes(*mobile.gpu)))
            named = mobile; // a card of another size may be in a box next to it
        const bool isOfNoSuchSize = m_machine.gigabytes > 0 && !named.gpu;
        if (isOfNoSuchSize) {
            m_machine.remark = "is not sold with " + formatCount(m_machine.gigabytes) + " GB";
            named = findNamedGpu(name);
        }
        m_machine.name = name;
        m_machine.gpu = isOfNoSuchSize ? nullptr : named.gpu;
        m_machine.others = named.others;
        if (m_machine.gigabytes == 0 && named.gpu && named.ofFamily)
            m_machine.remark = ", the commonest" + upperWords(first, length);
    }

    /// "A100 40 GB", "M4 Max with 36 GB", "A100 (the 40GB version)", "M2 Ultra 192": of words that
    /// a break divides, and of a number without its unit, only a size that the GPU is sold with.
    void takeSizeBehind(const std::string &name)
    {
        if (m_machine.gigabytes > 0 || m_at >= r.words.size())
            return;
        std::size_t skip = 0; // "mini pc w/ 64GB"
        while (skip < kMostSkipped && isSkipped(m_at + skip))
            ++skip;
        WrittenSize size = sizeAt(r, m_at + skip);
        constexpr auto kJoins = std::to_array<std::string_view>(
            {"with", "mit", "modded", "rebuilt", "魔改", "改装"}); // "2080 Ti modded, 22 GB"
        const bool isPlain =
            skip == 0 || (skip == 1 && !r.words[m_at].afterBreak && isAnyWord(r, m_at, kJoins));
        if (size.words > 0 && !isPlain && !isSoldWith(name, size.gigabytes))
            return;
        const bool isApart = size.words > 0 && r.words[m_at].afterBreak;
        if (isApart && !findNamedGpu(name, size.gigabytes).gpu)
            return; // "2x3090, 48GB"
        if (size.words == 0) {
            skip = 0;
            size = soldSizeAt(name);
        }
        const std::size_t end = m_at + skip + size.words;
        if (size.words == 0 || isOfHost(r, m_at + skip, end) || isAnyWord(r, end, kShared))
            return;
        m_machine.gigabytes = size.gigabytes;
        m_at = end;
    }

    /// Of a memory that the system shares, what the GPU gets: "96GB allocated to the iGPU".
    static constexpr auto kShared =
        std::to_array<std::string_view>({"allocated", "assigned", "reserved", "dedicated"});
    static constexpr std::size_t kMostSkipped = 4;

    bool isSkipped(std::size_t at) const
    {
        return r.isFree(at) &&
               (isOrdinary(r.words[at].text) || r.isWord(at, "w") || r.isWord(at, "mini")) &&
               !isAnyWord(r, at, kHostWords) && !isAnyWord(r, at, kJoining) &&
               !isOneOf(r.words[at].text, kOr);
    }

    /// Whether the size is one of several that GPUs of the name are sold with.
    static bool isSoldWith(const std::string &name, std::int64_t gigabytes)
    {
        const GpuPreset *gpu = findNamedGpu(name, gigabytes).gpu;
        const bool isFamily = findNamedGpu(name).ofFamily || !findNamedGpu(name).others.empty();
        return gpu && isFamily && soldGigabytes(*gpu) == gigabytes;
    }

    /// A number behind the name that is one of the sizes that its family has, and counts nothing.
    WrittenSize soldSizeAt(const std::string &name) const
    {
        const auto number = r.number(m_at);
        const bool isDivided = m_at + 1 < r.words.size() && !r.words[m_at + 1].afterBreak;
        const bool counts =
            isDivided && (r.isWord(m_at + 1, "x") || !keywordsOf(r.key(m_at + 1, 1)).empty());
        if (!number || *number < 8 || r.words[m_at].afterBreak || counts ||
            !isDigit(r.words[m_at].text.front()))
            return {};
        return isSoldWith(name, *number) ? WrittenSize{*number, 1} : WrittenSize();
    }

    /// "H100 x 8"
    void takeTimesBehind()
    {
        if (!m_machine.isNamed || !m_machine.counts.empty() || !r.isWord(m_at, "x") ||
            !r.number(m_at + 1))
            return;
        m_machine.counts.push_back(*r.number(m_at + 1));
        m_at += 2;
    }

    /// "2 H100 nodes" have eight each, and "one MI325X box" says nothing of how many are in it.
    /// "2 4090 machines" have one each, and "8x H100 server" is one.
    void takeNodesBehind()
    {
        if (!m_machine.gpu || m_machine.counts.size() != 1 || m_machine.saysNodes || !isNode())
            return;
        const bool isPlural = r.words[m_at].text.ends_with('s') || r.words[m_at].text == "knoten";
        const bool isOne = m_machine.counts.front() == 1;
        if (isOne)
            m_machine.counts.clear();
        m_machine.saysNodes =
            !isOne && isPlural && !isConsumers(*m_machine.gpu) && !m_machine.gpu->unified();
        ++m_at;
    }

    Reading &r;
    std::size_t m_begin;
    std::size_t m_at;
    NamedMachine m_machine;
};

} // namespace

bool takeMachine(Reading &r, std::size_t begin)
{
    return MachineReader(r, begin).read();
}

} // namespace vramscope
