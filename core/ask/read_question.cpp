// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/reading.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::size_t kReach = 6; // words from "largest" to what is to be large

/// What a question is of, and the word behind it.
struct Target
{
    AskedQuestion noun = AskedQuestion::None; ///< or
    const AskedKeyword *keyword = nullptr;    ///< what it counts, or
    const NamedMachine *machine = nullptr;    ///< GPUs
    bool isPlural = false;
    std::size_t end = 0;
};

/// "4k" beside a noun says how long each is.
bool isLength(const Reading &r, std::size_t at)
{
    return r.number(at) && r.words[at].text.ends_with('k');
}

bool isNumbered(const Reading &r, std::size_t first, std::size_t end)
{
    return (r.number(end) && !isLength(r, end)) ||
           (first > 0 && r.number(first - 1) && !isLength(r, first - 1));
}

const NamedMachine *machineAt(const Reading &r, std::size_t at)
{
    const auto found = std::ranges::find(r.machines, at, &NamedMachine::first);
    return found != r.machines.end() && found->counts.empty() ? &*found : nullptr;
}

/// "The cheapest single GPU": one, whichever.
const NamedMachine *singleGpuAt(const Reading &r, std::size_t at)
{
    const auto found = std::ranges::find(r.machines, at, &NamedMachine::first);
    const bool isAny = found != r.machines.end() && !found->isNamed && found->gigabytes == 0 &&
                       !found->saysNodes && found->counts == std::vector{std::int64_t(1)};
    return isAny ? &*found : nullptr;
}

Target targetFrom(const Reading &r, std::size_t begin)
{
    for (std::size_t at = begin; at < std::min(begin + kReach, r.words.size()); ++at) {
        if (r.words[at].afterBreak && at > begin)
            break;
        if (const NamedMachine *machine = machineAt(r, at))
            return {.machine = machine, .end = at};
        if (const NamedMachine *any = singleGpuAt(r, at))
            return {.noun = AskedQuestion::Gpu, .end = any->last + 1};
        if (!r.isFree(at))
            break;
        for (std::size_t count = r.freeFrom(at, 4); count > 0; --count) {
            const std::string key = r.key(at, count);
            const AskedQuestion noun = questionOf(key);
            if (noun >= AskedQuestion::Model)
                return {.noun = noun,
                        .isPlural = r.words[at + count - 1].text.back() == 's',
                        .end = at + count};
            const AskedKeyword *keyword = findKeyword(key, r.when);
            const bool isPlace = key.ends_with("gpu") || key.ends_with("card");
            if (keyword && !keyword->field.empty() && !isPlace) { // "how much lands on each GPU"
                if (isNumbered(r, at, at + count))
                    return {};
                return {.keyword = keyword, .end = at + count};
            }
        }
        if (r.number(at) && !isLength(r, at))
            break; // "at most 8 …" gives a value
    }
    return {};
}

std::optional<Sought> soughtBy(AskedQuestion asks, const Target &target)
{
    using enum AskedQuestion;
    using enum Sought::Kind;
    const bool isCard = target.noun == Gpu || target.machine;
    if (asks == Count || (asks == Least && (target.machine || (isCard && target.isPlural))))
        if (isCard)
            return Sought{FewestGpus, {}};
    if (target.noun == Model)
        return asks == Which || asks == Most ? std::optional(Sought{Models, {}}) : std::nullopt;
    if (target.noun == Format)
        return Sought{Largest, FieldPath("inference.weight_format")};
    if (target.noun == Gpu || (target.noun == Memory && asks == Least))
        return Sought{SmallestGpu, {}};
    const Field *field = target.keyword ? findField(target.keyword->field) : nullptr;
    if (!field || asks == Least) // "a global batch" is no field
        return std::nullopt;
    return Sought{Largest, field->path};
}

/// "How many do I need?", "at what count can I stop?": of the GPUs, and of nothing that is named.
bool asksForGpus(const Reading &r, std::size_t end)
{
    constexpr auto kVerbs =
        std::to_array<std::string_view>({"do", "would", "can", "could", "should", "will", "must",
                                         "are", "brauche", "brauchen", "of"});
    const bool endsThere = end >= r.words.size() || r.words[end].afterBreak;
    return (endsThere || isOneOf(r.words[end].text, kVerbs)) &&
           std::ranges::any_of(r.machines, [](const NamedMachine &machine) {
               return machine.gpu && machine.counts.empty();
           });
}

/// "max model len 41960" gives a value: how many words before its number, 0 where it gives none.
std::size_t givesValue(const Reading &r, std::size_t at)
{
    for (std::size_t count = r.freeFrom(at, 4); count > 1; --count)
        if (findKeyword(r.key(at, count), r.when) && r.number(at + count))
            return count;
    return 0;
}

} // namespace

void takeQuestion(Reading &r)
{
    constexpr auto kAmounts = std::to_array<std::string_view>({"howmuch", "wieviel"});
    bool asksWhich = false;
    for (std::size_t at = 0; at < r.words.size() && !r.asked.sought; ++at) {
        at += givesValue(r, at);
        for (std::size_t count = r.freeFrom(at, 4); count > 0; --count) {
            const AskedQuestion asks = questionOf(r.key(at, count));
            if (asks == AskedQuestion::None || asks >= AskedQuestion::Model)
                continue;
            asksWhich |= asks == AskedQuestion::Which;
            const Target target = targetFrom(r, at + count);
            const bool isAmount = isOneOf(r.key(at, count), kAmounts);
            if (isAmount && target.noun == AskedQuestion::Gpu)
                break; // "how much lands on each GPU"
            std::optional<Sought> sought = soughtBy(asks, target);
            if (!sought && asks == AskedQuestion::Count && !target.keyword &&
                target.noun == AskedQuestion::None && asksForGpus(r, at + count)) {
                r.asked.sought = Sought{Sought::Kind::FewestGpus, {}};
                std::fill_n(r.used.begin() + static_cast<std::ptrdiff_t>(at), count, true);
                break;
            }
            if (!sought)
                break;
            r.asked.sought = sought;
            for (std::size_t word = at; word < target.end; ++word)
                r.used[word] = r.used[word] || !isLength(r, word);
            break;
        }
    }
    constexpr auto kJudging = std::to_array<std::string_view>(
        {"best", "smartest", "strongest", "beste", "bestes", "最好", "最强"});
    const bool judges = std::ranges::any_of(
        r.words, [&](const SentenceWord &word) { return isOneOf(word.text, kJudging); });
    if (judges && r.asked.sought && r.asked.sought->kind == Sought::Kind::Models)
        r.asked.remarks.emplace_back("Which model answers best is not known here.");
    // "What can I run on a 3090?"
    if (asksWhich && !r.asked.sought && !r.model && !r.machines.empty() && !r.statesModel())
        r.asked.sought = Sought{Sought::Kind::Models, {}};
}

} // namespace vramscope
