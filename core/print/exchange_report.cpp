// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/exchange_report.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/plan/plan_json.h"

#include <nlohmann/json.hpp>

namespace vramscope {

using Json = nlohmann::ordered_json;

std::string importJson(const ImportedFiles &imported)
{
    Json notes = Json::array();
    for (const ImportedFiles::File &file : imported.files) {
        for (const ImportNote &note : file.notes)
            notes.push_back({{"file", file.name},
                             {"format", file.format},
                             {"place", note.place},
                             {"text", note.text}});
    }
    const Json plan = parsedJson(planJson(imported.plan));
    return jsonText(Json{{"plan", plan}, {"notes", notes}});
}

std::string exportJson(const Exported &exported, std::string_view format)
{
    Json notes = Json::array();
    for (const ImportNote &note : exported.notes)
        notes.push_back({{"place", note.place}, {"text", note.text}});
    return jsonText(Json{{"format", format}, {"text", exported.text}, {"notes", notes}});
}

std::string exportNotesText(const Exported &exported)
{
    std::string text;
    for (const ImportNote &note : exported.notes)
        text += printable(note.place) + ": " + printable(note.text) + '\n';
    return text;
}

std::string importNotesText(const ImportedFiles &imported)
{
    std::string text;
    for (const ImportedFiles::File &file : imported.files) {
        text += printable(file.name) + ": read as " + file.format + '\n';
        for (const ImportNote &note : file.notes)
            text += "  " + printable(note.place) + (note.place.empty() ? "" : ": ") +
                    printable(note.text) + '\n';
    }
    return text;
}

} // namespace vramscope
