// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/empirical.h"
#include "core/catalog/published.h"
#include "core/settings/settings.h"

// What fields are that a plan leaves out, where that depends on other settings. Rows of the table
// name these functions; a default that depends on nothing stands in Settings. They are asked in the
// order of the document, when all that the plan states is in.

namespace vramscope {

/// Whether a PYTORCH_CUDA_ALLOC_CONF string turns expandable segments on.
[[nodiscard]] bool expandsSegments(std::string_view allocConf);
/// Whether a text can be such a string: of letters, digits and _ : , . [ ] > - alone.
[[nodiscard]] bool isAllocConf(std::string_view text);

} // namespace vramscope

namespace vramscope::usual {

[[nodiscard]] Workload workload(const Plan &plan);            ///< a pipeline is called, not trained
[[nodiscard]] std::int64_t diffusionWidth(const Settings &s); ///< of the pipeline; 0 where none
[[nodiscard]] std::int64_t diffusionHeight(const Settings &s);
[[nodiscard]] std::int64_t diffusionFrames(const Settings &s);
[[nodiscard]] std::int64_t promptTokens(const Settings &s);
[[nodiscard]] AutoencoderFormat vaeFormat(const Settings &s); ///< fp32 where the pipeline casts it

[[nodiscard]] Bytes capacity(const Settings &s);           ///< the GPU's; 0 where none is named
[[nodiscard]] std::int64_t gpus(const Settings &s);        ///< what the degrees multiply to
[[nodiscard]] std::int64_t gpusPerNode(const Settings &s); ///< at most 8
[[nodiscard]] std::int64_t networkGigabits(const Settings &s);
[[nodiscard]] Bytes systemBytes(const Settings &s); ///< none where the capacity leaves it out
[[nodiscard]] CountList layersPerStage(const Settings &s); ///< dealt out evenly, more to the first
[[nodiscard]] std::int64_t expertTensor(const Settings &s);
[[nodiscard]] std::int64_t shardGroup(const Settings &s);
[[nodiscard]] bool overlapComm(const Settings &s);
[[nodiscard]] FsdpUnits units(const Settings &s);
[[nodiscard]] bool attentionMask(const Settings &s);
/// As many tokens as the model always reads, or as it writes.
[[nodiscard]] std::int64_t sourceLength(const Settings &s);
[[nodiscard]] TowerTraining visionTower(const Settings &s);
[[nodiscard]] AttentionKind attention(const Settings &s);
[[nodiscard]] AttentionBackend attentionBackend(const Settings &s);
[[nodiscard]] Bytes engineWorkspaceBytes(const Settings &s);
[[nodiscard]] Regime regime(const Settings &s);
[[nodiscard]] std::int64_t weightBytes(const Settings &s);
[[nodiscard]] std::int64_t gradientBytes(const Settings &s);
[[nodiscard]] std::int64_t masterWeightBytes(const Settings &s);
[[nodiscard]] std::int64_t reduceBytes(const Settings &s);
[[nodiscard]] bool noSync(const Settings &s);
[[nodiscard]] OptimizerImplementation implementation(const Settings &s);
[[nodiscard]] double stateBytes(const Settings &s);
[[nodiscard]] std::int64_t checkpointedBlocks(const Settings &s); ///< all of them
[[nodiscard]] LossKind loss(const Settings &s);
[[nodiscard]] Bytes contextBytes(const Settings &s);
/// What the size of the CUDA context rests on.
[[nodiscard]] const Empirical &cudaContext(const Settings &s);
[[nodiscard]] Bytes ncclBytes(const Settings &s);
[[nodiscard]] Bytes cublasWorkspaceBytes(const Settings &s);
[[nodiscard]] double reservedFactor(const Settings &s);
[[nodiscard]] WeightFormat weightFormat(const Plan &plan);
[[nodiscard]] MoeBackend moeBackend(const Settings &settings);
[[nodiscard]] std::string engineVersion(const Settings &s); ///< the newest that is known
[[nodiscard]] double gpuMemoryUtilization(const Settings &s);
[[nodiscard]] std::int64_t maxModelLen(const Settings &s);
[[nodiscard]] std::int64_t maxNumSeqs(const Settings &s);
[[nodiscard]] std::int64_t maxNumBatchedTokens(const Settings &s);
[[nodiscard]] std::int64_t chunkedPrefillSize(const Settings &s); ///< of SGLang, as the three below
[[nodiscard]] std::int64_t graphMaxBatch(const Settings &s);
[[nodiscard]] double staticFraction(const Settings &s);
[[nodiscard]] std::int64_t maxRunningRequests(const Settings &s); ///< 0: the cache decides
[[nodiscard]] std::int64_t sglangPageSize(const Settings &s);
[[nodiscard]] double windowTokensRatio(const Settings &s);
[[nodiscard]] std::int64_t meanSequenceLength(const Settings &s);
[[nodiscard]] Bytes cudaGraphBytes(const Settings &s);
[[nodiscard]] TextList notConverted(const Plan &plan);
[[nodiscard]] std::int64_t logProbMicroBatch(const Settings &s); ///< that of the update
[[nodiscard]] Bytes syncBucketBytes(const Settings &s);          ///< the largest tensor

/// Bytes of an activation and of a gathered weight, which no field states.
[[nodiscard]] std::int64_t computeBytes(const Settings &s);

} // namespace vramscope::usual

namespace vramscope {

/// The row of a preset whose published files are what a server loads: they are not in 16 bit, and
/// the plan states no other format. nullptr where there is none.
[[nodiscard]] const PublishedModel *servedAsPublished(const Plan &plan);

/// The GPU is NVIDIA's, or none is named. What the runtimes of other vendors take beside the
/// tensors nobody has reported: it is not counted, and the answer says so.
[[nodiscard]] bool runsCuda(const Settings &settings);
[[nodiscard]] bool fromHopper(const Settings &settings);

/// transformers gives torch's scaled_dot_product_attention a mask, for padding or for a window no
/// longer than the sequence, which its FlashAttention does not take (transformers
/// masking_utils.py).
[[nodiscard]] bool isMasked(const Settings &settings);

/// PyTorch's scaled_dot_product_attention has no fused kernel for what the plan trains and computes
/// whole score matrices: where heads share keys, its FlashAttention
/// alone takes them as they are, and that knows neither fp32 nor GPUs before Ampere
/// (aten/native/transformers/cuda/sdp_utils.cpp). Measured on an H200 with PyTorch 2.11.
[[nodiscard]] bool lacksFusedAttention(const Settings &settings);

} // namespace vramscope
