// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/catalogue_shapes.h"
#include "core/table/table.h"

namespace vramscope {

/// Whether a model of the catalogue has one shape; a pipeline has those of its components.
[[nodiscard]] bool hasShape(const CatalogueShape &preset);
/// The models of the catalogue, in the order of catalogueShapes().
[[nodiscard]] DataTable catalogueTable();

} // namespace vramscope
