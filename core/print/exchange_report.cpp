// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/exchange_report.h"

#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/plan/plan_json.h"
#include "core/print/json_parts.h"

namespace vramscope {

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
    return jsonText({{"plan", parsedJson(planJson(imported.plan))}, {"notes", std::move(notes)}});
}

std::string exportJson(const Exported &exported, std::string_view format)
{
    const auto noteJson = [](const ImportNote &note) -> Json {
        return {{"place", note.place}, {"text", note.text}};
    };
    return jsonText({{"format", format},
                     {"text", exported.text},
                     {"notes", listJson(exported.notes, noteJson)}});
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
