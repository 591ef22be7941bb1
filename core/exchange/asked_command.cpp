// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/asked_command.h"

#include "core/ask/asked_kind.h"
#include "core/ask/vocabulary.h"
#include "core/base/parts.h"
#include "core/catalog/gpu_names.h"

#include <algorithm>
#include <string>
#include <vector>

namespace vramscope {

namespace {

/// "python dpo.py" and "trl reward": a task whose defaults the words bring and the import of a
/// trainer's arguments does not.
bool namesTask(std::string_view command)
{
    const std::vector<std::string_view> words = partsOf(command, ' ');
    for (std::size_t at = 0; at < words.size(); ++at) {
        std::string_view name = words[at].substr(words[at].rfind('/') + 1);
        const bool isScript = name.ends_with(".py");
        if (!isScript && (at == 0 || words[at - 1] != "trl"))
            continue;
        name.remove_suffix(isScript ? 3 : 0);
        for (const std::string_view part : partsOf(name, '_'))
            for (const AskedPhrase *phrase : phrasesOf(nameKey(part)))
                if (phrase->sets.find("task=") != phrase->sets.npos)
                    return true;
    }
    return false;
}

} // namespace

Result<AskedCommand> askedCommand(std::string_view text, std::string_view more)
{
    const CommandPlace place = commandIn(text);
    const std::string_view line = text.substr(place.begin, place.end - place.begin);
    Result<Imported> imported = importInto({}, line);
    if (imported && !namesTask(line)) {
        const std::size_t behind =
            std::min(text.find_first_not_of(" ;:#->", place.end), text.size());
        std::string words(text.substr(0, place.begin));
        words += text.substr(behind);
        words += more;
        Asked asked = understand(words, imported->plan);
        if (asked.plan && (asked.plan->hardware.gpu || asked.plan->hardware.gpuList ||
                           asked.plan->hardware.capacity))
            std::erase_if(imported->notes, &ImportNote::asksForGpu);
        return AskedCommand{std::move(asked), std::move(imported).value()};
    }
    Asked asked = understoodWords(std::string(text) + std::string(more));
    if (!asked.understood() && !imported)
        return imported.error();
    return AskedCommand{std::move(asked), std::nullopt};
}

} // namespace vramscope
