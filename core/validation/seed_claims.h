// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/seed_facts.h"
#include "core/validation/seeds.h"

#include <span>
#include <string_view>

namespace vramscope {

/// What a document writes, in the claim's unit: one figure or a range.
struct Written
{
    double low;
    double high;
    constexpr Written(double figure)
        : low(figure)
        , high(figure)
    {
    }
    constexpr Written(double least, double most)
        : low(least)
        , high(most)
    {
    }
};

/// Where the recomputed figure comes from: a figure of an example plan, or a formula over such
/// figures, parameter counts and settings.
struct Recomputation
{
    std::string_view plan;
    std::string_view figure;
    std::string_view change; ///< JSON merge patch of the plan
    std::string_view formula;
    double (*value)(SeedFacts &) = nullptr; ///< of the formula, in bytes or ones
};

constexpr Recomputation fromPlan(std::string_view plan, std::string_view figure,
                                 std::string_view change = {})
{
    return {plan, figure, change, {}, nullptr};
}

constexpr Recomputation fromFormula(std::string_view formula, double (*value)(SeedFacts &))
{
    return {{}, {}, {}, formula, value};
}

/// One claim of a seed document, in our words.
struct SeedClaim
{
    std::string_view point;
    Written written;
    SeedUnit unit;
    Recomputation recomputation;
    std::string_view reason;
};

// Each document's claims, in a file of their own.
extern const std::span<const SeedClaim> kSeed000;
extern const std::span<const SeedClaim> kSeed001;
extern const std::span<const SeedClaim> kSeed002;
extern const std::span<const SeedClaim> kSeed003;
extern const std::span<const SeedClaim> kSeed004;

} // namespace vramscope
