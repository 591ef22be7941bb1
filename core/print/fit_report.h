// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/solver/fit.h"

#include <span>
#include <string>

namespace vramscope {

/// One line of JSON in the shape of plan-format.md, section 2, `vramscope-cli fit`: what was not
/// asked for is null or empty.
[[nodiscard]] std::string fitJson(const Plan &plan, const Fit &fit, const std::string &file);

/// The same for people: the answer in one line, and a table of what it rests on.
[[nodiscard]] std::string fitText(const Plan &plan, const Fit &fit, const std::string &file,
                                  ByteUnit unit = ByteUnit::Binary);

/// How many of the ways to make a plan fit are enough, surely or perhaps: a clause without its full
/// stop.
[[nodiscard]] std::string waysSentence(std::span<const WayToFit> ways);

/// What "that fits" means beside a result of that verdict, in a sentence; empty where it is sure.
[[nodiscard]] std::string criterionText(Verdict verdict);

/// "+57,120 tokens, +1.74 sequences".
[[nodiscard]] std::string cacheGainText(const CacheGain &gain);

} // namespace vramscope
