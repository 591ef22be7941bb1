// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/text_check.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "tests/fuzz/fuzzer.h"

namespace vramscope::fuzz {

void checkText(std::string_view text)
{
    check(!text.empty());
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        check(length > 0);
        check(text.front() == '\n' || !isControl(text.substr(0, length)));
        text.remove_prefix(length);
    }
}

void checkJsonText(std::string_view json)
{
    checkText(json);
    check(checkJson(json, json.size()).ok());
}

std::string twice(const std::function<std::string()> &write)
{
    std::string text = write();
    check(write() == text);
    return text;
}

} // namespace vramscope::fuzz
