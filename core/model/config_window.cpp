// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_window.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <algorithm>

namespace vramscope {

namespace {

void readLayerTypes(ConfigReader &config, const ModelType &type, const FieldValue &value,
                    Architecture &it)
{
    const auto *list = std::get_if<TextList>(&value);
    if (!list || list->size() != static_cast<std::size_t>(it.layers)) {
        config.fail("layer_types", "must be a list with one word for each of the " +
                                       counted(it.layers, "layer") + ".");
        return;
    }
    for (const std::string &word : *list) {
        const bool slides = word == "sliding_attention" || word == "chunked_attention";
        if (!slides && word != "full_attention") {
            config.fail("layer_types", "holds \"" + excerpt(word, 40) +
                                           "\"; known are sliding_attention, chunked_attention "
                                           "and full_attention.");
            return;
        }
        it.slidingLayers.push_back(slides);
    }
    if (std::ranges::none_of(it.slidingLayers, std::identity()))
        it.slidingLayers.clear(), it.slidingWindow = 0;
    else if (it.slidingWindow == 0)
        config.fail(type.windowKey, "is missing: layer_types names sliding layers.");
}

} // namespace

void readWindow(ConfigReader &config, const ModelType &type, std::int64_t otherwise,
                Architecture &it)
{
    it.slidingWindow = config.count({type.windowKey}, 1, kMaxPositions, otherwise);
    if (!config.flag("use_sliding_window", !type.windowNeedsFlag)) {
        it.slidingWindow = 0;
        return;
    }
    if (const FieldValue *list = config.find("layer_types")) {
        readLayerTypes(config, type, *list, it);
    } else if (it.slidingWindow > 0 && type.fullEvery > 0) {
        const std::int64_t every =
            config.count({"sliding_window_pattern"}, 1, kMaxLayers, type.fullEvery);
        it.slidingLayers = slidingPattern(it.layers, every);
    } else if (it.slidingWindow > 0 && type.windowNeedsFlag) {
        const std::int64_t full = config.count({"max_window_layers"}, 0, kMaxLayers, 0);
        for (std::int64_t layer = 0; layer < it.layers; ++layer)
            it.slidingLayers.push_back(layer >= full);
    }
}

} // namespace vramscope
