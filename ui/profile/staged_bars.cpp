// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/staged_bars.h"

#include "ui/export/exported_view.h"

#include <QVBoxLayout>

namespace vramscope {

namespace {

/// Holds a view that others may share, as long as it stands here.
class StagedBars : public QWidget
{
public:
    StagedBars(std::vector<BarTimes> times, BarScale scale, std::shared_ptr<QWidget> below)
        : m_below(std::move(below))
    {
        auto *bar = new BreakdownBar;
        bar->setCommonScale(scale == BarScale::Common);
        bar->setTimes(std::move(times));
        auto *layout = new QVBoxLayout(this);
        layout->setSpacing(24);
        layout->addWidget(bar);
        if (m_below)
            layout->addWidget(m_below.get());
        layout->addStretch(1);
    }
    ~StagedBars() override
    {
        if (m_below)
            m_below->setParent(nullptr);
    }
    StagedBars(const StagedBars &) = delete;
    StagedBars &operator=(const StagedBars &) = delete;

private:
    std::shared_ptr<QWidget> m_below;
};

} // namespace

std::shared_ptr<QWidget> stagedBars(std::vector<BarTimes> times, BarScale scale,
                                    const StageScene &below)
{
    return std::make_shared<StagedBars>(std::move(times), scale, below.view);
}

ReportFigure barsFigure(std::string id, std::vector<BarTimes> times, BarScale scale)
{
    return {std::move(id), [times = std::move(times), scale](int width, const Theme &theme) {
                BreakdownBar bar;
                bar.setCommonScale(scale == BarScale::Common);
                bar.setTimes(times);
                return widgetDrawing(bar, {width, bar.heightForWidth(width)}, theme);
            }};
}

} // namespace vramscope
