// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/lengths.h"
#include "core/ask/new_plan.h"
#include "core/ask/reading.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

bool claimsWork(const AskedPhrase &phrase)
{
    return phrase.sets.find("workload=") != phrase.sets.npos;
}

bool isWeak(const AskedPhrase &phrase)
{
    return phrase.sets.starts_with('~');
}

/// Whether a word between those of a phrase may be left out.
bool isFiller(const std::string &word)
{
    constexpr auto kTurning =
        std::to_array<std::string_view>({"no", "not", "nor", "without", "or", "vs", "but", "x",
                                         "kein", "keine", "ohne", "nicht", "oder", "ou", "o"});
    return joins(word) && !isOneOf(word, kTurning);
}

} // namespace

SaidPhrase phraseAt(const Reading &r, std::size_t at)
{
    constexpr std::size_t kMostFillers = 3;
    if (r.isWord(at, "full") && r.number(at + 1)) // "the full 128k window"
        return {};
    for (std::size_t count = r.freeFrom(at, kLongestPhrase); count > 0; --count)
        if (const auto rows = phrasesOf(r.key(at, count)); !rows.empty())
            return {rows, count};
    const std::size_t most = r.freeFrom(at, kLongestPhrase + kMostFillers);
    if (most < 3 || isFiller(r.words[at].text))
        return {};
    SaidPhrase said;
    std::string key = r.key(at, 1);
    std::size_t content = 1;
    std::size_t fillers = 0;
    for (std::size_t next = at + 1; next < at + most; ++next) {
        if (isFiller(r.words[next].text)) {
            if (++fillers > kMostFillers)
                break;
            continue;
        }
        key += r.key(next, 1);
        ++content;
        const auto rows = squeezedPhrasesOf(key);
        if (!rows.empty() && content > 1)
            said = {rows, next + 1 - at};
    }
    return said;
}

namespace {

/// Calls `use` with each phrase that the free words make, the longest at each place.
template<class Use>
void eachPhrase(const Reading &r, Use use)
{
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        const SaidPhrase said = phraseAt(r, at);
        if (said.words == 0)
            continue;
        if (!isNegated(r, at) && !isSwitchedOff(r, at + said.words))
            use(said.rows);
        at += said.words - 1;
    }
}

/// Words that mean something in plans of one kind alone speak for it: "zero-3", "128 users".
struct TaskEvidence
{
    int ofTraining = 0;
    int ofServing = 0;

    template<class Row>
    void weigh(std::span<const Row *const> rows)
    {
        const auto has = [&](AskedWhen when) {
            return std::ranges::any_of(rows, [&](const Row *row) { return row->when == when; });
        };
        if (rows.empty() || has(AskedWhen::Always))
            return;
        ofTraining += has(AskedWhen::Training) && !has(AskedWhen::Serving) ? 1 : 0;
        ofServing += has(AskedWhen::Serving) && !has(AskedWhen::Training) ? 1 : 0;
    }
};

TaskEvidence taskEvidenceOf(const Reading &r)
{
    TaskEvidence evidence;
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        const std::string &word = r.words[at].text;
        const auto ofGroup = [&](std::string_view group) { return word.starts_with(group); };
        constexpr auto kTrained = std::to_array<std::string_view>(
            {"batch.", "adapters.", "optimizer.", "activations.", "precision."});
        const bool isAssigned = word.find('=') != word.npos;
        evidence.ofTraining += isAssigned && std::ranges::any_of(kTrained, ofGroup) ? 1 : 0;
        evidence.ofServing += isAssigned && ofGroup("inference.") ? 1 : 0;
    }
    eachPhrase(r, [&](std::span<const AskedPhrase *const> rows) { evidence.weigh(rows); });
    for (std::size_t at = 0; at < r.words.size(); ++at) {
        for (std::size_t count = r.freeFrom(at, kLongestPhrase); count > 0; --count) {
            const auto rows = keywordsOf(r.key(at, count));
            const bool counts = r.number(at + count) || (at > 0 && r.number(at - 1));
            if (rows.empty() || !counts)
                continue;
            evidence.weigh(rows);
            break;
        }
    }
    return evidence;
}

} // namespace

bool isNegated(const Reading &r, std::size_t at)
{
    constexpr auto kNot = std::to_array<std::string_view>(
        {"no",    "not",  "nothing", "none",   "never", "without", "kein",
         "keine", "ohne", "nicht",   "nichts", "sans",  "sin",     "don't",
         "won't", "不用", "不",      "不开",   "无",    "没有"});
    constexpr auto kWishes =
        std::to_array<std::string_view>({"to", "want", "need", "going", "plan", "wish"});
    while (at > 1 && !r.words[at].afterBreak && isOneOf(r.words[at - 1].text, kWishes))
        --at; // "I do not want to train"
    return at > 0 && !r.words[at].afterBreak && isOneOf(r.words[at - 1].text, kNot) &&
           !r.used[at - 1];
}

bool isSwitchedOff(const Reading &r, std::size_t end)
{
    constexpr auto kOff =
        std::to_array<std::string_view>({"false", "off", "disabled", "aus", "unsupported"});
    constexpr auto kDenied =
        std::to_array<std::string_view>({"supported", "available", "possible", "unterstützt"});
    if (!r.isFree(end) || r.words[end].afterBreak)
        return false;
    const bool isDenied = (r.isWord(end, "not") || r.isWord(end, "nicht")) && r.isFree(end + 1) &&
                          isOneOf(r.words[end + 1].text, kDenied);
    return isDenied || isOneOf(r.words[end].text, kOff);
}

namespace {

/// The first phrase that says what is done, and the first that only suggests it.
struct TaskPhrases
{
    const AskedPhrase *strong = nullptr;
    const AskedPhrase *weak = nullptr;
};

TaskPhrases taskPhrases(const Reading &r, std::string_view sets)
{
    TaskPhrases found;
    eachPhrase(r, [&](std::span<const AskedPhrase *const> rows) {
        // "lora" with an engine and no trainer is an adapter that it serves.
        const bool isServed =
            r.engine && !r.trainer &&
            std::ranges::find(rows, AskedWhen::Serving, &AskedPhrase::when) != rows.end();
        for (const AskedPhrase *row : rows) {
            if (isServed || !claimsWork(*row) || row->sets.find(sets) == row->sets.npos)
                continue;
            const AskedPhrase *&phrase = isWeak(*row) ? found.weak : found.strong;
            phrase = phrase ? phrase : row;
        }
    });
    return found;
}

/// "20B tokens", "run tokens 300k": only training counts them.
bool saysRunTokens(const Reading &r)
{
    for (std::size_t at = 0; at + 1 < r.words.size(); ++at) {
        const bool saysTokens = r.words[at + 1].text.starts_with("tok");
        if (saysTokens && tokensOfRun(r.words[at].text))
            return true;
        const AskedKeyword *keyword = findKeyword(r.key(at, 2), AskedWhen::Training);
        if (keyword && keyword->field == "run.tokens")
            return true;
    }
    return std::ranges::any_of(
        r.words, [](const SentenceWord &word) { return word.text.starts_with("run.tokens="); });
}

} // namespace

const AskedPhrase *saidTask(const Reading &r, std::string_view sets)
{
    const TaskPhrases found = taskPhrases(r, sets);
    return found.strong ? found.strong : found.weak;
}

namespace {

bool assignsServing(const Reading &r)
{
    return std::ranges::find(r.words, "workload=inference", &SentenceWord::text) != r.words.end();
}

/// Two words of training or more, and none of serving.
bool onlyTrains(const Reading &r)
{
    const TaskEvidence evidence = taskEvidenceOf(r);
    return evidence.ofTraining > 1 && evidence.ofServing == 0;
}

/// Words of serving, and none of training.
bool onlyServes(const Reading &r)
{
    const TaskEvidence evidence = taskEvidenceOf(r);
    return evidence.ofServing > 0 && evidence.ofTraining == 0;
}

} // namespace

bool saysServing(const Reading &r)
{
    const AskedPhrase *task = saidTask(r);
    return (task && task->sets.find("workload=inference") != task->sets.npos) || assignsServing(r);
}

void decideTask(Reading &r)
{
    if (r.ofPipeline()) {
        r.when = AskedWhen::Diffusion;
        r.isTaskSaid = true;
        r.plan = plainTraining();
        return;
    }
    // Transformers and accelerate load models to run them too: "accelerate, device_map auto".
    const bool loads = r.trainer && r.trainer->behavesAs == "hf" && r.trainer->usualTask.empty() &&
                       saysServing(r) && taskEvidenceOf(r).ofTraining == 0;
    bool serves = false;
    bool learns = false;
    if (r.stated.workload) {
        serves = r.stated.workload == Workload::Inference;
        r.isTaskSaid = true;
    } else if (saidTask(r, "workload=rl")) {
        r.isTaskSaid = true;
    } else if (taskPhrases(r, "workload=").strong || assignsServing(r)) {
        serves = saysServing(r);
        r.isTaskSaid = true;
    } else if (r.trainer && !r.trainer->hubOwner.empty() && onlyServes(r)) {
        serves = true; // "unsloth UD-Q4_K_XL": who made the file
        r.isTaskSaid = true;
    } else if ((r.trainer && !loads) || (!r.engine && saysRunTokens(r))) {
        learns = r.trainer && (r.trainer->usualTask == "grpo" || r.trainer->usualTask == "ppo");
        r.isTaskSaid = true;
    } else if (!r.engine && onlyTrains(r)) { // "runs with seq 18000, grad accum 4, r = 16"
        serves = false;
        r.isTaskSaid = true;
    } else if (r.engine || saidTask(r) || r.named.isPublishedQuantised) {
        serves = r.engine || saysServing(r) || r.named.isPublishedQuantised;
        r.isTaskSaid = true;
    } else {
        const TaskEvidence evidence = taskEvidenceOf(r);
        const bool trains = evidence.ofTraining > 0;
        r.isTaskSaid = trains != (evidence.ofServing > 0);
        serves = !trains || evidence.ofServing > 0;
    }
    r.when = serves ? AskedWhen::Serving : AskedWhen::Training;
    if (r.isAnew)
        r.plan = serves ? plainServing() : plainTraining();
    if (learns)
        r.plan.workload = Workload::Rl;
}

} // namespace vramscope
