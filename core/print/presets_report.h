// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <string>
#include <vector>

namespace vramscope {

/// Which models and GPUs to list: those that match all words (catalogue_search.h), or all.
struct PresetQuery
{
    std::string words;
    std::string family; ///< of models alone, whatever its case; empty: any
};

/// The models and GPUs that plans know by name, as one line of JSON: {"models":[{"name","title",
/// "family","year","repository","parameters":{"total","active"},"layers","hidden","heads",
/// "kv_heads","vocabulary","source","note","not_computed"}],"gpus":[{"name","title","capacity",
/// "memory_bandwidth","host_link","source"}]}; bytes and bytes a second; null what is not known.
/// "not_computed" is a sentence that says why, or null.
[[nodiscard]] std::string presetsJson(const PresetQuery &query = {});

/// The same for people, as two tables; where models were searched for, with the reasons why some of
/// them are not computed.
[[nodiscard]] std::string presetsText(const PresetQuery &query = {},
                                      ByteUnit unit = ByteUnit::Binary);

/// The families of models, each once.
[[nodiscard]] std::vector<std::string> presetFamilies();

} // namespace vramscope
