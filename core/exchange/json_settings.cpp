// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/exchange/formats.h"
#include "core/planner/flat_json.h"

namespace vramscope {

Result<std::vector<ForeignSetting>> jsonSettings(std::string_view text)
{
    if (const Result<void> checked = checkJson(text); !checked)
        return checked.error();
    auto values = flattened(text);
    if (!values)
        return Error{ErrorCode::NotRecognized, "This JSON is no object, so it is no tool's "
                                               "config; choose the config file itself."};
    std::vector<ForeignSetting> settings;
    settings.reserve(values->size());
    for (FlatValue &value : *values)
        settings.push_back({value.path, std::move(value.value), value.path});
    return settings;
}

} // namespace vramscope
