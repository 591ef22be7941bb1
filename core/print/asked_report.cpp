// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/asked_report.h"

#include "core/base/format.h"
#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Json askedFields(const AskedPiece &piece)
{
    Json fields = Json::array();
    for (const FieldPath path : piece.fields)
        fields.push_back(path.text());
    return fields;
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
    return assumed.empty() ? text : text + assumed + '\n';
}

std::string askedRefusal(const Asked &asked)
{
    std::string text = printable(asked.whyNot);
    for (const AskedPiece &piece : asked.pieces) {
        if (piece.state == AskedState::NotUnderstood && !piece.meaning.empty())
            text += (text.empty() ? "" : " ") + ('"' + printable(piece.text)) + "\" " +
                    printable(piece.meaning) + (piece.meaning.ends_with('.') ? "" : ".");
    }
    return text;
}

std::string withAsked(const std::string &json, const Asked &asked)
{
    Json understood = Json::array();
    Json assumed = Json::array();
    for (const AskedPiece &piece : asked.pieces) {
        if (piece.state == AskedState::Understood)
            understood.push_back({{"text", printable(piece.text)},
                                  {"meaning", printable(piece.meaning)},
                                  {"fields", askedFields(piece)}});
        if (piece.state == AskedState::Assumed)
            assumed.push_back(
                {{"meaning", printable(piece.meaning)}, {"fields", askedFields(piece)}});
    }
    Json whole = parsedJson(json);
    whole["asked"] = {{"understood", std::move(understood)}, {"assumed", std::move(assumed)}};
    return jsonText(whole);
}

} // namespace vramscope
