// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/serving_logs/serving_log.h"

#include <QString>

#include <vector>

namespace vramscope {

/// The parts of a budget, from left to right.
enum class BudgetPart { Weights, Outside, Activations, Graphs, Cache, Unused };
inline constexpr std::size_t kBudgetPartCount = 6;

struct BudgetPiece
{
    BudgetPart part = BudgetPart::Weights;
    QString name; ///< "Weights and outside PyTorch"
    Bytes bytes = 0;
};

/// What took the memory of one device: pieces that add up to its whole, as far as the log tells.
struct BudgetOfDevice
{
    QString name; ///< "CUDA0"; empty where there is one
    std::vector<BudgetPiece> pieces;
    Bytes whole = 0;

    [[nodiscard]] Bytes used() const; ///< all but what is unused
};

/// vLLM and SGLang: of one rank; llama.cpp and ollama: of each device. Empty where the log states
/// no parts.
[[nodiscard]] std::vector<BudgetOfDevice> budgetBars(const ServingLog &log);
/// What a bar is of, in a sentence: what its end stands for, and what it leaves out.
[[nodiscard]] QString budgetNote(const ServingLog &log);

} // namespace vramscope
