// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/projection/scale_table.h"

#include "core/estimate/verdict.h"
#include "core/print/time_report.h"
#include "ui/projection/projection_text.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QHeaderView>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

enum PointColumn {
    GpusOfPoint,
    StepOfPoint,
    SpeedOfPoint,
    SpeedupOfPoint,
    EfficiencyOfPoint,
    CommunicationOfPoint,
    IdleOfPoint,
    DeviceOfPoint,
    WordOfPoint,
    HoursOfPoint,
    PointColumnCount
};

constexpr int kPointRole = Qt::UserRole;

} // namespace

ScaleTable::ScaleTable(QWidget *parent)
    : QTreeWidget(parent)
{
    setAccessibleName(u"Numbers of GPUs"_s);
    setHeaderLabels({u"GPUs"_s, u"step"_s, u"tokens/s"_s, u"speedup"_s, u"efficiency"_s,
                     u"communication"_s, u"idle"_s, u"a GPU"_s, u"verdict"_s, u"GPU hours"_s});
    const QStringList tips = {
        u"All GPUs of the job"_s,
        u"The likely time of a step"_s,
        u"Over all GPUs; the tooltip of a row has the range"_s,
        u"Tokens a second over those of the first row"_s,
        u"Tokens a second and GPU over those of the first row"_s,
        u"Share of the step that computing waits for other GPUs' data"_s,
        u"Share of the step that computing waits for the slowest GPU, in the pipeline, or as it "
        u"was "
        "recorded"_s,
        u"Peak of the device, per GPU"_s,
        {},
        u"Of the run that the plan states, else of a billion tokens"_s,
    };
    for (int column = 0; column < PointColumnCount; ++column) {
        headerItem()->setToolTip(column, tips.value(column));
        headerItem()->setTextAlignment(
            column, Qt::Alignment(column == WordOfPoint ? Qt::AlignLeft : Qt::AlignRight) |
                        Qt::AlignVCenter);
    }
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (item && !m_filling && item->data(GpusOfPoint, kPointRole).isValid())
            Q_EMIT pointSelected(item->data(GpusOfPoint, kPointRole).toULongLong());
    });
}

void ScaleTable::showPoints(const std::vector<ScalePoint> &points, ByteUnit unit)
{
    m_filling = true;
    clear();
    qulonglong known = 0;
    for (const ScalePoint &point : points) {
        auto *row = new QTreeWidgetItem(this);
        const auto put = [&](int column, const QString &text) {
            row->setText(column, text);
            row->setTextAlignment(
                column, Qt::Alignment(column == WordOfPoint ? Qt::AlignLeft : Qt::AlignRight) |
                            Qt::AlignVCenter);
        };
        put(GpusOfPoint, countText(point.gpus));
        if (!point.known()) {
            put(WordOfPoint, u"not known"_s);
            row->setToolTip(WordOfPoint, toQString(point.whyNot));
            row->setToolTip(GpusOfPoint, toQString(point.whyNot));
            continue;
        }
        row->setData(GpusOfPoint, kPointRole, known++);
        const StepTime &time = point.time;
        const Projected speed = time.tokensPerSecond();
        put(StepOfPoint, toQString(durationText(time.seconds.likely)));
        put(SpeedOfPoint, roughText(speed.likely));
        row->setToolTip(SpeedOfPoint,
                        u"%1 to %2 tokens/s"_s.arg(roughText(speed.low), roughText(speed.high)));
        put(SpeedupOfPoint, roughText(point.speedup));
        put(EfficiencyOfPoint, stepShareText(point.efficiency));
        put(CommunicationOfPoint, stepShareText(point.communicationShare()));
        put(IdleOfPoint, stepShareText(time.idle / time.seconds.likely));
        put(DeviceOfPoint, bytesText(point.estimate.peakDevice, unit));
        row->setToolTip(DeviceOfPoint, exactBytesText(point.estimate.peakDevice, unit));
        const std::optional<Verdict> verdict = verdictOf(point.estimate);
        put(WordOfPoint, verdict ? verdictText(*verdict) : u"capacity not known"_s);
        if (verdict)
            row->setForeground(WordOfPoint, verdictColor(*verdict, themeOf(this)));
        put(HoursOfPoint, roughText(time.gpuHours(tokensOfRun(*point.estimate.settings)).likely));
    }
    m_filling = false;
}

void ScaleTable::setSelected(std::optional<std::size_t> point)
{
    m_filling = true;
    setCurrentItem(nullptr);
    for (int i = 0; point && i < topLevelItemCount(); ++i) {
        const QVariant place = topLevelItem(i)->data(GpusOfPoint, kPointRole);
        if (place.isValid() && place.toULongLong() == *point)
            setCurrentItem(topLevelItem(i));
    }
    m_filling = false;
}

} // namespace vramscope
