// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/export.h"

namespace vramscope {

/// Files of other tools that were carried over into one plan, one after another.
struct ImportedFiles
{
    struct File
    {
        std::string name;
        std::string format;
        std::vector<ImportNote> notes;
    };
    Plan plan;
    std::vector<File> files;
};

/// {"plan": …, "notes": [{"file", "format", "place", "text"}, …]}, without a line break at the end.
[[nodiscard]] std::string importJson(const ImportedFiles &imported);

/// A line for each file and each note.
[[nodiscard]] std::string importNotesText(const ImportedFiles &imported);

/// {"format": …, "text": …, "notes": [{"place", "text"}, …]}, without a line break at the end.
[[nodiscard]] std::string exportJson(const Exported &exported, std::string_view format);

/// A line for each note.
[[nodiscard]] std::string exportNotesText(const Exported &exported);

} // namespace vramscope
