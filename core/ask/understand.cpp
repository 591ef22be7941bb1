// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked.h"
#include "core/ask/asked_kind.h"
#include "core/ask/reading.h"
#include "core/base/format.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

bool Asked::understood() const
{
    return plan && std::ranges::none_of(pieces, [](const AskedPiece &piece) {
               return piece.state == AskedState::Contradiction;
           });
}

namespace {

constexpr std::size_t kLongestSentence = 1000;

std::string machineText(const Plan &plan)
{
    const Settings settings = resolve(plan).settings;
    return formatCount(settings.gpus) + " × " + (settings.gpu ? settings.gpu->title : "GPU");
}

/// What the words may mean as well: each machine behind an "or", and the other tasks where none is
/// said.
void addVersions(Reading &r)
{
    Asked &asked = r.asked;
    const Plan &plan = r.plan;
    for (const NamedMachine &machine : r.machines) {
        if (!machine.isAlternative)
            continue;
        const std::size_t begin = r.words[machine.first].begin;
        const std::string words(r.text.substr(begin, r.words[machine.last].end - begin));
        const Asked other = reworded(machine.counts.empty() ? "1 x " + words : words, plan);
        const auto piece = std::ranges::find(asked.pieces, begin, &AskedPiece::begin);
        if (!other.plan || piece == asked.pieces.end())
            continue;
        piece->meaning = machineText(*other.plan);
        piece->fields = {FieldPath("hardware.gpu")};
        asked.sought = Sought{Sought::Kind::Choice, {}};
        asked.title = machineText(plan);
        asked.versions.push_back({machineText(*other.plan), *other.plan});
    }
    if (r.isTaskSaid || r.isOpen || asked.sought)
        return;
    for (const std::string_view task : {"lora", "full fine-tune"}) {
        const Asked other = understand(std::string(r.text) + ", " + std::string(task), r.stated);
        if (other.plan)
            asked.versions.push_back({taskText(resolve(*other.plan).settings), *other.plan});
    }
}

/// When the parts of a model's name are looked at: "wan 14b".
enum class Hints { AfterWords, BeforeWords };

Asked readOnce(std::string_view text, const Plan &stated, Beside beside, Hints hints)
{
    Reading reading(text, stated, beside);
    takeOthersMemory(reading);
    takeNamedModels(reading);
    takeTools(reading);
    takeMachines(reading);
    correctWords(reading);
    takeTools(reading); // "transfomers"
    if (reading.isOpen)
        startAnew(reading);
    if (hints == Hints::BeforeWords)
        takeHintedModel(reading);
    decideTask(reading);
    takeStated(reading);
    placeTools(reading);
    placeMachines(reading);
    takeQuestion(reading);
    takeWords(reading);
    const bool isNamed = reading.model || reading.named.known();
    if (!isNamed && (reading.isOpen || !reading.statesModel()))
        takeHintedModel(reading);
    // "wan 14b nf4": words mean something else of a pipeline.
    if (!isNamed && reading.model && reading.model->pipeline)
        return readOnce(text, stated, beside, Hints::BeforeWords);
    takeLeftNumbers(reading);
    passOverTheRest(reading);
    std::ranges::stable_sort(reading.asked.pieces, {}, &AskedPiece::begin);
    if (!placeModel(reading))
        return std::move(reading.asked);
    placePlan(reading);
    tellMeanings(reading);
    if (reading.isAnew)
        tellAssumed(reading);
    addVersions(reading);
    reading.asked.plan = reading.plan;
    return std::move(reading.asked);
}

Asked read(std::string_view text, const Plan &stated, Beside beside)
{
    return readOnce(text, stated, beside, Hints::AfterWords);
}

Asked readSentence(std::string_view text, const Plan &stated, Beside beside)
{
    Asked asked;
    asked.kind = askedKind(text);
    if (asked.kind != AskedKind::Words) {
        asked.whyNot = "This is no sentence about a plan; import it.";
        return asked;
    }
    if (text.size() > kLongestSentence) {
        asked.whyNot = "The text is longer than " +
                       formatCount(static_cast<std::int64_t>(kLongestSentence)) +
                       " bytes, which no sentence about a plan needs.";
        return asked;
    }
    return read(text, stated, beside);
}

} // namespace

Asked understand(std::string_view text)
{
    return understand(text, {});
}

Asked understoodWords(std::string_view text)
{
    return text.size() > kLongestSentence ? readSentence(text, {}, Beside::File)
                                          : read(text, {}, Beside::File);
}

Asked understand(std::string_view text, const Plan &stated)
{
    return readSentence(text, stated, Beside::File);
}

Asked reworded(std::string_view text, const Plan &plan)
{
    return readSentence(text, plan, Beside::OpenPlan);
}

} // namespace vramscope
