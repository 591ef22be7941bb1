// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/asked_report.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/print/json_parts.h"
#include "core/settings/field_text.h"
#include "core/solver/answer_sought.h"

namespace vramscope {

namespace {

Json askedFields(const AskedPiece &piece)
{
    return listJson(piece.fields, &FieldPath::text);
}

/// "\"foo\" is not known."
std::string remarkOf(const AskedPiece &piece)
{
    return '"' + printable(piece.text) + "\" " + printable(piece.meaning) +
           (piece.meaning.ends_with('.') ? "" : ".");
}

} // namespace

std::string askedAssumptions(const Asked &asked)
{
    std::string assumed;
    for (const AskedPiece &piece : asked.pieces) {
        if (piece.state == AskedState::Assumed)
            assumed += (assumed.empty() ? "Assumed: " : ", ") + printable(piece.meaning);
    }
    return assumed;
}

std::string askedText(const Asked &asked)
{
    std::string text;
    for (const AskedPiece &piece : asked.pieces) {
        if (piece.state == AskedState::Understood)
            text += (text.empty() ? "Understood: " : "; ") + printable(piece.text) + " = " +
                    printable(piece.meaning);
    }
    text += text.empty() ? "" : "\n";
    const std::string assumed = askedAssumptions(asked);
    text += assumed.empty() ? assumed : assumed + '\n';
    const std::string passedOver = askedPassedOver(asked);
    text += passedOver.empty() ? passedOver : "Without: " + passedOver + '\n';
    for (const std::string &remark : asked.remarks)
        text += "Note: " + remark + '\n';
    return text;
}

std::string askedPassedOver(const Asked &asked)
{
    std::string text;
    for (const AskedPiece &piece : asked.pieces) {
        if (piece.state == AskedState::NotUnderstood && !piece.meaning.empty())
            text += (text.empty() ? "" : " ") + remarkOf(piece);
    }
    return text;
}

std::string askedRefusal(const Asked &asked)
{
    std::string text = printable(asked.whyNot);
    for (const AskedPiece &piece : asked.pieces) {
        // A word that is like no other may be the model that is missed.
        const bool isName = piece.state == AskedState::NotUnderstood &&
                            piece.meaning.find("did you mean") != std::string::npos;
        if (piece.state == AskedState::Contradiction || (isName && !asked.plan))
            text += (text.empty() ? "" : " ") + remarkOf(piece);
    }
    return text;
}

std::string withAsked(const std::string &json, const Asked &asked)
{
    Json understood = Json::array();
    Json assumed = Json::array();
    Json passedOver = Json::array();
    for (const AskedPiece &piece : asked.pieces) {
        if (piece.state == AskedState::Understood)
            understood.push_back({{"text", printable(piece.text)},
                                  {"meaning", printable(piece.meaning)},
                                  {"fields", askedFields(piece)}});
        if (piece.state == AskedState::Assumed)
            assumed.push_back(
                {{"meaning", printable(piece.meaning)}, {"fields", askedFields(piece)}});
    }
    for (const AskedPiece &piece : asked.pieces) {
        if (piece.state == AskedState::NotUnderstood)
            passedOver.push_back(
                {{"text", printable(piece.text)}, {"meaning", printable(piece.meaning)}});
    }
    Json whole = parsedJson(json);
    whole["asked"] = {{"understood", std::move(understood)},
                      {"assumed", std::move(assumed)},
                      {"not_understood", std::move(passedOver)},
                      {"remarks", asked.remarks}};
    return jsonText(whole);
}

Result<SoughtAnswer> soughtOf(const Asked &asked, const Progress &progress)
{
    if (asked.sought->kind == Sought::Kind::Choice)
        return answerChoice({asked.title, *asked.plan}, asked.versions);
    return answerSought(*asked.plan, *asked.sought, progress);
}

std::string askedVersions(const Asked &asked)
{
    std::string text;
    if (asked.sought)
        return text; // they are compared
    for (const PlanVersion &version : asked.versions) {
        const Estimate there = estimate(version.plan);
        const std::optional<Verdict> verdict = verdictOf(there);
        text += (text.empty() ? "Otherwise: " : "; ") + printable(version.title) +
                (!verdict                     ? std::string()
                 : *verdict == Verdict::Tight ? " is tight"
                                              : ' ' + verdictWord(there));
    }
    return text.empty() ? text : text + '.';
}

std::string smallestGpusSentence(const Plan &plan)
{
    constexpr std::size_t kNamed = 3;
    if (plan.hardware.gpu || plan.hardware.gpuList || plan.hardware.capacity)
        return {};
    std::string names;
    for (const GpuPreset *gpu : smallestGpus(plan, kNamed))
        names += (names.empty() ? "" : ", ") + gpu->title;
    return names.empty() ? names : "The smallest GPUs that hold it: " + names + '.';
}

std::string withSought(const std::string &json, const SoughtAnswer &answer)
{
    Json value = nullptr;
    if (const auto *number = std::get_if<std::int64_t>(&answer.value))
        value = *number;
    else if (isStated(answer.value))
        value = fieldWords(answer.value);
    Json whole = parsedJson(json);
    whole["sought"] = {
        {"field", answer.field}, {"value", std::move(value)}, {"answer", answer.sentence}};
    return jsonText(whole);
}

} // namespace vramscope
