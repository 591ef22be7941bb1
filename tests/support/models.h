// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/catalogue_shapes.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace vramscope::test {

/// The shape of a model that the catalogue has.
inline const Architecture &shapeOf(std::string_view name)
{
    return findCatalogueShape(name)->architecture;
}

/// The language models that are computed and in which every layer attends.
inline const std::vector<CatalogueShape> &plainModels()
{
    static const std::vector<CatalogueShape> models = [] {
        std::vector<CatalogueShape> all;
        std::ranges::copy_if(catalogueShapes(), std::back_inserter(all), [](const auto &shape) {
            return shape.computed() && !shape.model->pipeline && shape.architecture.isPlain() &&
                   shape.architecture.isTrainingKnown() && !shape.architecture.readsImages();
        });
        return all;
    }();
    return models;
}

} // namespace vramscope::test
