// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/table/table.h"

#include <string>
#include <string_view>

namespace vramscope {

/// One line of JSON in the shape of plan-format.md, section 2, `vramscope-cli plan`.
/// Figures that were not computed are null.
[[nodiscard]] std::string planEstimateJson(const Plan &plan, const Estimate &estimate,
                                           const std::string &file);

/// The same for people: the answer in one line, the three levels, and the breakdown at the peak.
[[nodiscard]] std::string planEstimateText(const Plan &plan, const Estimate &estimate,
                                           const std::string &file,
                                           ByteUnit unit = ByteUnit::Binary);

/// What is known of a checkpoint whose kind of model is not, with a blank behind it: "The weights
/// take 189 MiB, by the tensors of the checkpoint; cache and activations are not known. ". Empty
/// for other plans.
[[nodiscard]] std::string weightsAloneText(const Estimate &estimate,
                                           ByteUnit unit = ByteUnit::Binary);

/// The answer in one sentence, with what is run on what: "Llama 3 8B, full training on 8 × H100
/// SXM5 80 GB: fits, 61.6 of 79.2 GiB at the loss, 17.6 GiB to spare." Where it is tight it says
/// how it may turn out otherwise; what is not counted follows in sentences of their own.
[[nodiscard]] std::string answerLine(const Plan &plan, const Estimate &estimate,
                                     ByteUnit unit = ByteUnit::Binary);
[[nodiscard]] std::string answerLine(std::string_view job, const Estimate &estimate,
                                     ByteUnit unit = ByteUnit::Binary);
/// Its second half, from the verdict on, with or without the moment of the peak; of an estimate
/// that was computed.
[[nodiscard]] std::string verdictText(const Estimate &estimate, ByteUnit unit = ByteUnit::Binary,
                                      bool hasMoment = true);

/// The range of the device level: "likely 152 to 204 GiB"; empty without one.
[[nodiscard]] std::string likelyText(const Estimate &estimate, ByteUnit unit = ByteUnit::Binary);

/// What the range rests on: "Range: 95 % of 64 public figures of training, dense were in it when
/// they were first predicted."; empty without figures.
[[nodiscard]] std::string rangeSourceText(const Estimate &estimate);

/// A moment's name inside a sentence: "at the loss", "in the forward pass", "at rest".
[[nodiscard]] std::string momentPhrase(const std::string &moment);

// The figures of an estimate, for a terminal and for documents.

/// "Parameters: 8,030,261,248, … active, … on one GPU before sharding".
[[nodiscard]] std::string parametersText(const Estimate &estimate);
/// Name, size and note of the three levels, of the first step, at rest, on the host; then shares.
[[nodiscard]] DataTable levelsTable(const Estimate &estimate, ByteUnit unit);
/// Category, part, size, share and formula at the peak; then the levels that they add up to.
[[nodiscard]] DataTable componentsTable(const Estimate &estimate);
/// Name and allocated bytes of each moment, and which is the peak.
[[nodiscard]] DataTable momentsTable(const Estimate &estimate);
/// For reinforcement learning: phase, the trainer's bytes, the engine's, the device's, when.
[[nodiscard]] DataTable phasesTable(const Estimate &estimate);
/// Peak of each stage of a pipeline, and which one the figures are of.
[[nodiscard]] DataTable stagesTable(const Estimate &estimate);
/// What serving engines print of themselves.
[[nodiscard]] DataTable inferenceTable(const Estimate &estimate, ByteUnit unit);

} // namespace vramscope
