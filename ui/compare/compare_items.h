// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/compare/compare_scene.h"
#include "ui/stage/stage_item.h"

#include <QWidget>

#include <vector>

namespace vramscope {

class CompareView;

/// Recordings that are compared, laid over each other as on their page.
struct StagedComparison
{
    ComparisonDocument document;
    SceneOptions options;
    QString anchorText; ///< what falls together; empty: the beginnings
    ByteUnit unit = ByteUnit::Binary;
};

/// Their curves below a legend, for an audience or a report.
class ComparedCurves : public QWidget
{
public:
    /// `namesAlone`: the legend is read, and nothing of it is chosen.
    ComparedCurves(const StagedComparison &of, bool namesAlone);
    ~ComparedCurves() override;

private:
    ComparisonDocument m_document;
    CompareScene m_scene;
    CompareView *m_view = nullptr;
};

/// What can be shown of a comparison: the peaks, the curves on one axis, and of every recording
/// beside the first the places where it holds more or less, as a table and as a flame graph, and
/// the allocator settings that differ. Graphs and settings are not shown before somebody wants
/// them, but the graph of a pair is.
[[nodiscard]] std::vector<StageItem> comparisonItems(StagedComparison comparison);

} // namespace vramscope
