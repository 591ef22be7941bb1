// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_path.h"
#include "core/plan/plan.h"
#include "core/plan/sought.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

struct Settings;

/// How a piece of what was asked is taken.
enum class AskedState {
    Understood,
    Assumed,       ///< nobody said it, and yet it decides
    NotUnderstood, ///< passed over: the answer is without it, which is to be told
    Contradiction  ///< there is no answer as long as it is said
};

/// Words that mean one thing, with the fields of the plan that they set.
struct AskedPiece
{
    AskedState state = AskedState::Understood;
    std::string text;              ///< as written; empty where it is assumed
    std::size_t begin = 0;         ///< where it was written, in bytes
    std::size_t end = 0;           ///< 0: it was not
    std::vector<FieldPath> fields; ///< empty where it is not understood
    /// "Qwen3 32B"; of what is not understood why, or nothing where Asked::whyNot says it.
    std::string meaning;
    bool operator==(const AskedPiece &) const = default;
};

/// What a text is. All but words is for core/exchange to import.
enum class AskedKind { Words, Path, Document, CommandLine };

/// A plan asked for in words, and how each of them was taken.
struct Asked
{
    AskedKind kind = AskedKind::Words;
    std::optional<Plan> plan;       ///< nothing where no model is known, or several may be meant
    std::vector<AskedPiece> pieces; ///< in the order of the words, then what is assumed
    std::vector<std::string> candidates; ///< models that may be meant, by the names that plans use
    std::string whyNot;                  ///< a sentence where there is no plan
    std::vector<std::string> remarks;    ///< sentences: what of the tool the plan is without
    std::optional<Sought> sought;        ///< what is asked for; a verdict where nothing is
    std::string title;                   ///< of the plan beside its versions
    std::vector<PlanVersion> versions;   ///< what the words may mean, or ask for, as well

    /// There is a plan, and nothing contradicts it.
    [[nodiscard]] bool understood() const;
};

/// "Qwen3-32B full fine-tune on 8 H100, 8k" as a plan: a grammar over the models and GPUs of the
/// catalogue, the words for tasks, strategies and formats, and the fields of a plan
/// ("batch.micro_batch=4"). Ordinary words are passed over; what else it does not know it names,
/// with what is nearest, and the plan is without it. What nobody says is assumed and told.
[[nodiscard]] Asked understand(std::string_view text);

/// The same beside what another file states, a config.json or the arguments of a server: words go
/// over it, what neither says is assumed, and what it states of the other kind of plan,
/// such as the format of served weights of one that trains, is left out.
[[nodiscard]] Asked understand(std::string_view text, const Plan &stated);
/// A text as words, though it looks like a command line: for one that no import knows.
[[nodiscard]] Asked understoodWords(std::string_view text);

/// The same over an open plan, of which all stays that the words do not say: "LoRA", "4 H200, 16k",
/// another model. Another task or kind of work has its usual layout; GPUs stay as they are given.
[[nodiscard]] Asked reworded(std::string_view text, const Plan &plan);

/// "sequence length 4,096", "base weights in 16 bits": the value of a field as it is told.
[[nodiscard]] std::string fieldTold(const Plan &plan, const Settings &settings, FieldPath path);

} // namespace vramscope
