// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/catalog/architecture.h"
#include "core/catalog/catalogue.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// A model of the catalogue with its shape and counts, or why these are not computed.
struct CatalogueShape
{
    const CatalogueModel *model = nullptr;
    Architecture architecture; ///< empty where it is not computed, and for a pipeline
    std::int64_t parameters = 0;
    std::int64_t active = 0; ///< parameters used by one token
    std::string whyNot;      ///< a sentence; empty where it is computed

    [[nodiscard]] bool computed() const { return whyNot.empty(); }
    /// "dense", or "diffusion" for a pipeline; only if computed.
    [[nodiscard]] std::string kind() const;
};

/// Every model of the catalogue, in its order. Their configs are read once, on first use.
[[nodiscard]] std::span<const CatalogueShape> catalogueShapes();

/// The model of that name, or nullptr.
[[nodiscard]] const CatalogueShape *findCatalogueShape(std::string_view name);

/// The architecture of a model of the catalogue, with the plan's own values. An error says, of the
/// model's config, why it is not computed.
[[nodiscard]] Result<Architecture> architectureOf(const CatalogueModel &model,
                                                  const PlanModel &beside);

/// "dense", "MoE, MLA" or "MoE, hybrid": the main differences between models. A hybrid has layers
/// that keep a state as well as layers that attend.
[[nodiscard]] std::string architectureKind(const Architecture &architecture);

} // namespace vramscope
