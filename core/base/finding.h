// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// What a sentence means to its reader; each has a word or a sign too, never a colour alone. A
/// problem is one of the file: it limits every figure.
enum class Tone { Plain, Good, Bad, Warning, Note, Problem };

/// A fact about a file or a run that its reader should know. Terminal, pages, slides and reports
/// show the same findings.
struct Finding
{
    std::string kind{}; ///< its key, "leak"; empty where the title tells findings apart
    Tone tone = Tone::Plain;
    std::string title{};    ///< in a few words: "Leak suspected: 4.00 KiB a step"
    std::string sentence{}; ///< what it means and what to do; ended
    std::int64_t cost = 0;  ///< bytes, or the ns that could be gained at most; 0: neither
    std::int64_t count = 0; ///< failures, stacks that grow, contradictions, records; else 0
    std::optional<std::int64_t> event{}; ///< the event it leads to; -1: before the first

    [[nodiscard]] bool isBad() const { return tone == Tone::Bad; }
    bool operator==(const Finding &) const = default;
};

/// What a file or a run has to tell.
struct Story
{
    std::string answer; ///< one sentence, ended
    std::vector<Finding> findings{};
    std::vector<std::string> remarks{}; ///< what of it is not known, or only in part: sentences
};

} // namespace vramscope
