// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/reading.h"

#include "core/base/text.h"
#include "core/settings/field_text.h"

#include <algorithm>
#include <array>

namespace vramscope {

Reading::Reading(std::string_view sentence, const Plan &beside, Beside how)
    : text(sentence)
    , words(sentenceWords(sentence))
    , used(words.size(), false)
    , stated(beside)
    , isOpen(how == Beside::OpenPlan)
{
}

std::size_t Reading::freeFrom(std::size_t at, std::size_t most) const
{
    if (at >= words.size())
        return 0;
    const std::size_t count = unbroken(std::span(words).subspan(at), most);
    for (std::size_t i = 0; i < count; ++i)
        if (used[at + i])
            return i;
    return count;
}

bool Reading::isWord(std::size_t at, std::string_view word) const
{
    return isFree(at) && words[at].text == word;
}

std::string Reading::key(std::size_t at, std::size_t count) const
{
    return keyOf(std::span(words).subspan(at, count));
}

std::optional<std::int64_t> Reading::number(std::size_t at) const
{
    return isFree(at) ? countOf(words[at]) : std::nullopt;
}

AskedPiece &Reading::take(std::size_t at, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        used[at + i] = true;
    AskedPiece piece;
    piece.begin = words[at].begin;
    piece.end = words[at + count - 1].end;
    piece.text = text.substr(piece.begin, piece.end - piece.begin);
    return asked.pieces.emplace_back(std::move(piece));
}

void Reading::passOver(AskedPiece &piece, std::string why)
{
    piece.state = AskedState::NotUnderstood;
    piece.fields.clear();
    piece.meaning = std::move(why);
}

void Reading::contradict(AskedPiece &piece, std::string why)
{
    passOver(piece, std::move(why));
    piece.state = AskedState::Contradiction;
}

void Reading::set(AskedPiece &piece, const Field &field, std::string_view value, bool isWeak)
{
    if (piece.state != AskedState::Understood)
        return;
    const bool isLearning = field.path == "workload" && plan.workload == Workload::Rl;
    const auto isMeantOver = [&](const Claim &claim) {
        return isAskedAbout(piece.begin) || (claim.end > 0 && isContrasted(claim.end, piece.begin));
    };
    for (Claim &claim : claims) {
        if (claim.field != field.path || claim.value == value || claim.ofFile)
            continue;
        if (isLearning || isWeak) { // "grpo lora" trains adapters, "run lora" does not serve
            piece.fields.push_back(field.path);
            return;
        }
        if (!claim.isWeak && isMeantOver(claim))
            break;
        if (!claim.isWeak && isAside(piece.end))
            return passOver(piece, "is another value; \"" + claim.text + "\" is used");
        if (!claim.isWeak && !(claim.field == "workload" && value == "rl"))
            return contradict(piece, "contradicts \"" + claim.text +
                                         "\": " + std::string(field.path) + " has one value");
    }
    const auto last = std::ranges::find(claims, field.path, &Claim::field);
    const bool isMeant = last != claims.end() && !last->ofFile && isMeantOver(*last);
    for (AskedPiece &other : asked.pieces) // "24k works, does 32k?"
        if (&other != &piece && isMeant && other.state == AskedState::Understood &&
            other.fields == std::vector{field.path})
            passOver(other, "is another value; the question is about a later one");
    if (!value.empty()) {
        const Result<void> isSet = setField(plan, field, writtenValue(field, value));
        if (!isSet)
            return contradict(piece, isSet.error().detail);
    }
    const auto replaced = std::erase_if(claims, [&](const Claim &claim) {
        return claim.field == field.path && claim.value != value &&
               (claim.isWeak || isMeantOver(claim));
    });
    if (value.empty() && replaced > 0) // the usual value, in place of the one before
        field.set(plan, {});
    claims.push_back({field.path, std::string(value), piece.text, piece.end, false, isWeak});
    piece.fields.push_back(field.path);
}

bool Reading::isAskedAbout(std::size_t begin) const
{
    constexpr auto kAsking =
        std::to_array<std::string_view>({"would", "does", "do", "can", "could", "geht", "reicht"});
    const auto word = std::ranges::find(words, begin, &SentenceWord::begin);
    return word != words.end() && word != words.begin() && isOneOf((word - 1)->text, kAsking);
}

bool Reading::isContrasted(std::size_t from, std::size_t to) const
{
    constexpr auto kContrasts = std::to_array<std::string_view>(
        {"but",      "whereas",  "however", "aber",       "jedoch",   "但",      "但是",
         "mais",     "pero",     "lower",   "lowered",    "reduce",   "reduced", "reducing",
         "lowering", "dropping", "dropped", "降到",       "降低到",   "改成",    "改为",
         "sorry",    "meant",    "scratch", "correction", "actually", "still"});
    return std::ranges::any_of(words, [&](const SentenceWord &word) {
        return word.begin >= from && word.end <= to && isOneOf(word.text, kContrasts);
    });
}

bool Reading::isReplaced(std::size_t at) const
{
    constexpr auto kInstead =
        std::to_array<std::string_view>({"instead", "statt", "anstatt", "replacing"});
    constexpr auto kOwners = std::to_array<std::string_view>(
        {"a", "an", "my", "our", "the", "old", "plain", "einer", "meiner"});
    const auto before = [&](std::size_t count, std::string_view word) {
        return at >= count && words[at - count].text == word;
    };
    while (at > 0 && isOneOf(words[at - 1].text, kOwners))
        --at;
    return (at > 0 && isOneOf(words[at - 1].text, kInstead)) ||
           (at > 1 && isOneOf(words[at - 2].text, kInstead) && before(1, "of")) ||
           (before(2, "rather") && before(1, "than"));
}

bool Reading::isOfThePast(std::size_t begin) const
{
    constexpr auto kPast = std::to_array<std::string_view>(
        {"tried", "used", "fooled", "played", "previously", "formerly", "earlier", "rented", "sold",
         "died", "last", "vorher", "früher", "avant", "antes", "之前"});
    constexpr auto kEnds = std::to_array<std::string_view>({". ", "? ", "! ", "; "});
    std::size_t from = 0;
    std::size_t to = text.size();
    for (const std::string_view end : kEnds) {
        const std::size_t before = text.substr(0, begin).rfind(end);
        from = before == text.npos ? from : std::max(from, before);
        to = std::min(to, text.find(end, begin));
    }
    constexpr auto kSubjects = std::to_array<std::string_view>({"i", "we", "they", "had", "have"});
    const auto isAdjective = [&](const SentenceWord &word) { // "two cheap used 3090s"
        return word.text == "used" &&
               (&word == words.data() || !isOneOf((&word - 1)->text, kSubjects));
    };
    return std::ranges::any_of(words, [&](const SentenceWord &word) {
        return word.begin >= from && word.end <= to && isOneOf(word.text, kPast) &&
               !isAdjective(word);
    });
}

bool Reading::isLastResort(std::size_t at) const
{
    constexpr auto kVerbs = std::to_array<std::string_view>({"do", "must", "should", "need"});
    constexpr std::size_t kReach = 10; // words
    for (std::size_t back = 0; back < std::min(at, kReach); ++back) {
        const SentenceWord &next = words[at - back];
        if (next.afterBreak)
            return false;
        if (words[at - back - 1].text == "or")
            return isOneOf(next.text, kVerbs);
    }
    return false;
}

bool Reading::isAside(std::size_t end) const
{
    constexpr auto kOutcomes =
        std::to_array<std::string_view>({"works", "worked", "runs", "ran", "fits", "ok", "fine",
                                         "ooms", "oom", "crashes", "fails", "dies"});
    const auto next = std::ranges::lower_bound(words, end, {}, &SentenceWord::begin);
    return next != words.end() && isOneOf(next->text, kOutcomes);
}

void Reading::setAll(AskedPiece &piece, std::string_view assignments)
{
    while (!assignments.empty()) {
        const std::size_t blank = std::min(assignments.find(' '), assignments.size());
        std::string_view one = assignments.substr(0, blank);
        const bool isWeak = one.starts_with('~');
        one.remove_prefix(isWeak ? 1 : 0);
        const std::size_t equals = one.find('=');
        if (one.starts_with("task="))
            objectives.push_back(askedTaskNamed(one.substr(equals + 1)).value());
        else
            set(piece, *findField(one.substr(0, equals)), one.substr(equals + 1), isWeak);
        assignments.remove_prefix(std::min(blank + 1, assignments.size()));
    }
}

bool isLengthRather(const AskedKeyword *keyword, std::optional<std::int64_t> number)
{
    constexpr std::int64_t kMost = 1024;
    constexpr auto kSmall = std::to_array<std::string_view>({"batch.micro_batch", "adapters.rank",
                                                             "batch.accumulation_steps",
                                                             "inference.concurrent_sequences"});
    return keyword && number.value_or(0) >= kMost && isOneOf(keyword->field, kSmall);
}

void Reading::assume(FieldPath path, std::string meaning)
{
    AskedPiece piece;
    piece.state = AskedState::Assumed;
    piece.fields = {path};
    piece.meaning = std::move(meaning);
    asked.pieces.push_back(std::move(piece));
}

void Reading::remark(std::string part, std::string why)
{
    AskedPiece piece;
    piece.text = std::move(part);
    passOver(piece, std::move(why));
    asked.pieces.push_back(std::move(piece));
}

bool Reading::ofPipelineAsStated() const
{
    return stated.model.pipeline || stated.model.components;
}

bool Reading::ofPipeline() const
{
    return model ? model->pipeline : ofPipelineAsStated();
}

bool Reading::isClaimed(FieldPath path) const
{
    return std::ranges::find(claims, path, &Claim::field) != claims.end();
}

bool Reading::isSaid(FieldPath path) const
{
    return std::ranges::any_of(
        claims, [&](const Claim &claim) { return claim.field == path && !claim.ofFile; });
}

} // namespace vramscope
