// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/asked_command.h"

#include "core/ask/asked_kind.h"

#include <algorithm>
#include <string>

namespace vramscope {

Result<AskedCommand> askedCommand(std::string_view text, std::string_view more)
{
    const std::size_t end = commandEnd(text);
    Result<Imported> imported = importInto({}, text.substr(0, end));
    if (imported) {
        const std::size_t begin = std::min(text.find_first_not_of(" ;#->", end), text.size());
        const std::string words = std::string(text.substr(begin)) + std::string(more);
        return AskedCommand{understand(words, imported->plan), std::move(imported).value()};
    }
    Asked asked = understoodWords(std::string(text) + std::string(more));
    if (!asked.understood())
        return imported.error();
    return AskedCommand{std::move(asked), std::nullopt};
}

} // namespace vramscope
