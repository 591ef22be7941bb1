// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/towers/visual_tokens.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

struct Cells
{
    std::int64_t columns = 0;
    std::int64_t rows = 0;
};

double real(std::int64_t value)
{
    return static_cast<double>(value);
}

/// Python's round(): a half goes to the even neighbour.
std::int64_t rounded(double value)
{
    return static_cast<std::int64_t>(std::nearbyint(value));
}

/// smart_resize() of Qwen2-VL: whole cells, the shape kept as far as they allow.
Cells inGrid(const Tower &tower, std::int64_t width, std::int64_t height)
{
    const double cell = real(tower.cell());
    Cells cells{std::max<std::int64_t>(1, rounded(real(width) / cell)),
                std::max<std::int64_t>(1, rounded(real(height) / cell))};
    const double pixels = real(cells.columns) * real(cells.rows) * cell * cell;
    const double area = real(width) * real(height);
    if (tower.maxPixels > 0 && pixels > real(tower.maxPixels)) {
        const double by = std::sqrt(area / real(tower.maxPixels));
        cells.columns = static_cast<std::int64_t>(std::floor(real(width) / by / cell));
        cells.rows = static_cast<std::int64_t>(std::floor(real(height) / by / cell));
    } else if (pixels < real(tower.minPixels)) {
        const double by = std::sqrt(real(tower.minPixels) / area);
        cells.columns = static_cast<std::int64_t>(std::ceil(real(width) * by / cell));
        cells.rows = static_cast<std::int64_t>(std::ceil(real(height) * by / cell));
    }
    return {std::max<std::int64_t>(1, cells.columns), std::max<std::int64_t>(1, cells.rows)};
}

/// PixtralImageProcessor: never larger, whole cells above.
Cells inRows(const Tower &tower, std::int64_t width, std::int64_t height)
{
    const double by = std::max(1.0, std::max(real(width), real(height)) / real(tower.imageSide));
    const std::int64_t cell = tower.cell();
    const auto cells = [&](std::int64_t side) {
        const auto scaled = by > 1 ? static_cast<std::int64_t>(std::floor(real(side) / by)) : side;
        return (std::max<std::int64_t>(1, scaled) - 1) / cell + 1;
    };
    return {cells(width), cells(height)};
}

/// dynamic_preprocess() of InternVL: the grid whose shape is nearest to the image's; of two equal
/// ones the larger, where the image fills more than half of it.
Cells nearestShape(const Tower &tower, std::int64_t width, std::int64_t height)
{
    const double shape = real(width) / real(height);
    Cells best{1, 1};
    double nearest = INFINITY;
    for (std::int64_t tiles = 1; tiles <= tower.maxTiles; ++tiles) {
        for (std::int64_t columns = 1; columns <= tiles; ++columns) {
            if (tiles % columns != 0)
                continue;
            const std::int64_t rows = tiles / columns;
            const double away = std::abs(shape - real(columns) / real(rows));
            const double half = 0.5 * real(tower.imageSide) * real(tower.imageSide) * real(tiles);
            if (away < nearest || (away == nearest && real(width) * real(height) > half))
                best = {columns, rows};
            nearest = std::min(nearest, away);
        }
    }
    return best;
}

/// get_best_fit() of Llama 4: the canvas on which the image grows least, else shrinks least; of
/// equal ones the smallest.
Cells leastGrowth(const Tower &tower, std::int64_t width, std::int64_t height)
{
    Cells best;
    double growth = 0;
    for (std::int64_t tiles = 1; tiles <= tower.maxTiles; ++tiles) {
        for (std::int64_t columns = 1; columns <= tiles; ++columns) {
            if (tiles % columns != 0)
                continue;
            const std::int64_t rows = tiles / columns;
            const double by = std::min(real(columns * tower.imageSide) / real(width),
                                       real(rows * tower.imageSide) / real(height));
            const bool better = growth >= 1 ? by >= 1 && by < growth : by > growth;
            if (better) {
                best = {columns, rows};
                growth = by;
            }
        }
    }
    return best;
}

/// The largest number of cells up to `cells` whose most even grid is at most 200 times as wide as
/// high.
std::int64_t widestGrid(std::int64_t cells)
{
    constexpr std::int64_t kWidest = 200;
    for (; cells > 1; --cells) {
        auto rows = static_cast<std::int64_t>(std::sqrt(real(cells)));
        while (cells % rows != 0)
            --rows;
        if (cells / rows <= kWidest * rows)
            return cells;
    }
    return 1;
}

} // namespace

std::optional<VisualTokens> visualTokens(const Tower &tower, std::int64_t width,
                                         std::int64_t height)
{
    constexpr std::int64_t kMaxPixelsOfSide = 1'000'000;
    if (width < 1 || height < 1 || width > kMaxPixelsOfSide || height > kMaxPixelsOfSide)
        return std::nullopt;
    const std::int64_t cell = tower.merge * tower.merge;
    switch (tower.images) {
    case ImageRule::None:
        return std::nullopt;
    case ImageRule::Grid: {
        const Cells cells = inGrid(tower, width, height);
        const std::int64_t tokens = cells.columns * cells.rows;
        return VisualTokens{tokens, tokens * cell};
    }
    case ImageRule::Rows: {
        const Cells cells = inRows(tower, width, height);
        const std::int64_t tokens = cells.columns * cells.rows;
        return VisualTokens{tokens + cells.rows, tokens * cell};
    }
    case ImageRule::Fixed:
        return VisualTokens{tower.imageTokens, tower.imagePatches};
    case ImageRule::Tiles: {
        const Cells cells =
            tower.scalesUp ? leastGrowth(tower, width, height) : nearestShape(tower, width, height);
        std::int64_t tiles = cells.columns * cells.rows;
        tiles += tiles > 1 ? 1 : 0; // the whole image as well
        return VisualTokens{tiles * tower.imageTokens, tiles * tower.imagePatches};
    }
    }
    return std::nullopt;
}

std::optional<VisualTokens> largestImage(const Tower &tower, std::int64_t maxPixels)
{
    switch (tower.images) {
    case ImageRule::Grid: {
        const std::int64_t limit = maxPixels > 0 ? maxPixels : tower.maxPixels;
        const std::int64_t tokens = widestGrid(limit / (tower.cell() * tower.cell()));
        return VisualTokens{tokens, tokens * tower.merge * tower.merge};
    }
    case ImageRule::Fixed:
        return VisualTokens{tower.imageTokens, tower.imagePatches};
    case ImageRule::Tiles: {
        const std::int64_t tiles = tower.maxTiles + 1; // the whole image as well
        return VisualTokens{tiles * tower.imageTokens, tiles * tower.imagePatches};
    }
    case ImageRule::None:
    case ImageRule::Rows:
        break;
    }
    return std::nullopt;
}

std::optional<VisualTokens> largestVideo(const Tower &tower, std::int64_t maxPixels,
                                         std::int64_t tokens, bool besideImage)
{
    constexpr std::int64_t kMostFrames = 14;
    const auto image = largestImage(tower, maxPixels);
    if (!image || image->tokens < 1)
        return std::nullopt;
    switch (tower.videos) {
    case VideoRule::None:
        break;
    case VideoRule::FramePairs: {
        const std::int64_t pairs =
            std::clamp<std::int64_t>(tokens / image->tokens, 1, kMostFrames / 2);
        return VisualTokens{pairs * image->tokens, pairs * image->patches};
    }
    case VideoRule::Frames: {
        const std::int64_t left = tokens - (besideImage ? image->tokens : 0);
        const std::int64_t frames = std::max<std::int64_t>(left / tower.imageTokens, 1);
        return VisualTokens{frames * tower.imageTokens, frames * tower.imagePatches};
    }
    }
    return std::nullopt;
}

} // namespace vramscope
