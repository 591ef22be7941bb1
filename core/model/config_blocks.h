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
    bool tokens = true; ///< the config states a vocabulary
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

// Readers of blocks (BlockReader::read), each family in a file of its own.

/// Readers of model types whose layers differ in their heads or in the width of their feed-forward:
/// MiMo-V2, Step 3.5, Laguna, Nemotron-NAS.
[[nodiscard]] std::span<const BlockReader> shapedBlockReaders();

/// The readers of model types that have layers which keep a state.
[[nodiscard]] std::span<const BlockReader> stateBlockReaders();
/// Readers of model types that read a source and write another sequence.
[[nodiscard]] std::span<const BlockReader> sourceBlockReaders();
/// Readers of encoders that are no BERT, of text or of pictures.
[[nodiscard]] std::span<const BlockReader> encoderBlockReaders();
/// Mamba 1 under the keys that begin with "mamba_".
[[nodiscard]] StateMixer readMamba1(ConfigReader &config, const Architecture &architecture);
/// RWKV 7, a recurrent network through and through.
void readRwkv7(ConfigReader &config, Architecture &architecture);
/// Layers that share blocks before mixers that keep a state.
void readZamba(ConfigReader &config, Architecture &architecture);
void readZamba2(ConfigReader &config, Architecture &architecture);

/// DeepSeek V3.2 and GLM-5: latent attention to the tokens that an index chooses.
void readIndexed(ConfigReader &config, Architecture &architecture);
/// A.X K2: the same with a gate made together with the queries, and gates of low rank on norms.
void readAxk2(ConfigReader &config, Architecture &architecture);
/// DeepSeek V4: windows and compressed entries, in some layers chosen by an index; several residual
/// streams.
void readDeepseekV4(ConfigReader &config, Architecture &architecture);
/// MiniMax M3: grouped queries, in some layers to blocks of tokens that an index chooses.
void readMiniMaxM3(ConfigReader &config, Architecture &architecture);

// Gemma 3n and the E-models of Gemma 4: each layer reads its own embedding, and the last ones use
// the keys and values of others. transformers models/gemma3n/modeling_gemma3n.py,
// models/gemma4/modeling_gemma4.py.

/// Adds the layers' own inputs, `hidden_size_per_layer_input` wide; `otherwise` where the config
/// has no width.
void takeOwnInputs(ConfigReader &config, Architecture &architecture, std::int64_t otherwise);

/// Lets the last layers borrow keys and values (num_kv_shared_layers); their feed-forward may be
/// twice as wide (use_double_wide_mlp). Blocks have been read.
void takeSharedKeys(ConfigReader &config, Architecture &architecture, std::int64_t otherwise);

/// Reads Gemma 3n's text part: several residual streams (AltUp), low-rank residuals (LAuReL).
void readGemma3n(ConfigReader &config, Architecture &architecture);

} // namespace vramscope
