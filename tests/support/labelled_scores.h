// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/leaks.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::test {

/// Blocks that were alive after an event, each with what it was for.
struct LabelledMoment
{
    struct Block
    {
        std::uint64_t address = 0;
        Bytes bytes = 0;
        std::string role;
    };
    EventIndex event = 0;
    std::vector<Block> blocks;
};

/// The truth about a recording, told by the program that made it.
struct Labels
{
    LabelledMoment peak;
    LabelledMoment end;
    std::vector<EventIndex> starts; ///< of its steps, or of its requests
    EventIndex events = 0;
    bool isServer = false;           ///< has requests: they need not be found
    double leaked = 0;               ///< bytes a step
    std::string leakSite;            ///< the function that leaks; empty: none
    bool leaksGraph = false;         ///< a graph is kept: what it saves has sites of its own
    std::vector<std::string> causes; ///< of the last failed request; empty: none fails
};

/// Those of a file NAME.labels.json; nothing if it has none.
[[nodiscard]] std::optional<Labels> readLabels(const std::filesystem::path &file);

/// Whether a recording is of the third that is not for choosing rules and thresholds by.
[[nodiscard]] bool isHeldBack(std::string_view name);

/// Shares of the bytes of a moment: right, wrong and unknown are all.
struct CategoryScore
{
    struct Part
    {
        double all = 0;
        double right = 0;
    };
    /// Guesses by tenths of their probability, but for blocks that may be unknown.
    std::array<Part, 10> byConfidence{};
    double right = 0;
    double wrong = 0;
    double surelyWrong = 0; ///< with a probability of 69.5 % or more
    double unknown = 0;
};

[[nodiscard]] CategoryScore scoreOf(const LabelledMoment &moment, const Allocations &allocations,
                                    const Categories &categories);

/// Whether a recording has enough steps to judge those that are found.
[[nodiscard]] bool hasSteps(const Labels &labels);
/// Whether there are as many steps as in truth, but for one, and each but two begins in its own.
[[nodiscard]] bool areRight(const Steps &steps, const Labels &labels);

/// Whether a recording has more steps than in truth, where these are none or few.
[[nodiscard]] bool areFalse(const Steps &steps, const Labels &labels);

/// Bytes a step of all leaks together.
[[nodiscard]] double leakedBytes(const Leaks &leaks);
/// Whether they are those of the truth, to 6 %.
[[nodiscard]] bool areRight(const Leaks &leaks, const Labels &labels);
/// Whether a leak that was found is the one of the truth.
[[nodiscard]] bool isTrue(const Growth &leak, const Trace &trace, const Labels &labels);

} // namespace vramscope::test
