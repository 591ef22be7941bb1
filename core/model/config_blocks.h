// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"
#include "core/model/config_reader.h"

#include <span>
#include <string_view>
#include <vector>

namespace vramscope {

/// How a model type describes its blocks where they differ.
struct BlockReader
{
    std::string_view type; ///< model_type
    /// Keys that it reads, which would mean an unknown kind of layer in another type; one that ends
    /// with '*' means all with that prefix.
    std::span<const std::string_view> keys;
    bool attends = true; ///< the config states heads
    bool feeds = true;   ///< the config states a feed-forward
    /// Fills in blocks and state; sizes, heads and feed-forward have been read.
    void (*read)(ConfigReader &config, Architecture &architecture) = nullptr;
};

/// The list under a key; nullptr where it is missing or empty.
[[nodiscard]] const TextList *listAt(const ConfigReader &config, std::string_view key);

/// The reader of a model type, or nullptr where its layers are those of a transformer.
[[nodiscard]] const BlockReader *findBlockReader(std::string_view type);

/// Which layers have experts, by any of the keys of transformers' classes; fails where a list has
/// another length. `architecture` has its first dense layers.
[[nodiscard]] std::vector<bool> expertLayers(ConfigReader &config,
                                             const Architecture &architecture);

/// Gives experts to these layers of a model in which all layers attend.
void takeExperts(const std::vector<bool> &experts, Architecture &architecture);

/// The number of layers in the config's list of them; 0 without a list.
[[nodiscard]] std::int64_t listedLayers(const ConfigReader &config);

} // namespace vramscope
