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
    Architecture architecture; ///< empty where it is not computed, and of a pipeline
    std::int64_t parameters = 0;
    std::int64_t active = 0; ///< touched by one token
    std::string whyNot;      ///< a sentence; empty where it is computed

    [[nodiscard]] bool computed() const { return whyNot.empty(); }
    /// "dense", or "diffusion" of a pipeline; of one that is computed.
    [[nodiscard]] std::string kind() const;
};

/// Every model of the catalogue, in its order. Their configs are read once, when first asked for.
[[nodiscard]] std::span<const CatalogueShape> catalogueShapes();

/// The model of that name, or nullptr.
[[nodiscard]] const CatalogueShape *findCatalogueShape(std::string_view name);

/// The architecture of a model of the catalogue, where a plan states `beside` with it. An error
/// says, of the model's config, why it is not computed.
[[nodiscard]] Result<Architecture> architectureOf(const CatalogueModel &model,
                                                  const PlanModel &beside);

/// "dense", "MoE, MLA" or "MoE, hybrid": in what models differ most. A hybrid has layers that keep
/// a state beside those that attend.
[[nodiscard]] std::string architectureKind(const Architecture &architecture);

} // namespace vramscope
