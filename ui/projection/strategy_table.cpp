// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/projection/strategy_table.h"

#include "ui/projection/projection_text.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QHeaderView>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

enum OptionColumn {
    LetterOfOption,
    SpeedOfOption,
    DeviceOfOption,
    WordOfOption,
    CommunicationOfOption,
    IdleOfOption,
    FrontOfOption,
    TitleOfOption,
    OptionColumnCount
};

bool isText(int column)
{
    return column == LetterOfOption || column == WordOfOption || column == FrontOfOption ||
           column == TitleOfOption;
}

} // namespace

StrategyTable::StrategyTable(QWidget *parent)
    : QTreeWidget(parent)
{
    setAccessibleName(u"Strategies that fit"_s);
    setHeaderLabels({u""_s, u"tokens/s"_s, u"a GPU"_s, u"verdict"_s, u"communication"_s, u"idle"_s,
                     u"front"_s, u"strategy"_s});
    const QStringList tips = {
        {},
        u"Over all GPUs; the tooltip of a row has the range"_s,
        u"Peak of the device, per GPU"_s,
        {},
        u"Share of the step that computing waits for other GPUs' data"_s,
        u"Share of the step that computing waits for the slowest GPU or in the pipeline"_s,
        u"Whether each faster one needs at least a twentieth more memory"_s,
        {},
    };
    for (int column = 0; column < OptionColumnCount; ++column) {
        headerItem()->setToolTip(column, tips.value(column));
        headerItem()->setTextAlignment(
            column,
            Qt::Alignment(isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem *item) {
        if (item && !m_filling)
            Q_EMIT optionSelected(static_cast<std::size_t>(indexOfTopLevelItem(item)));
    });
    connect(this, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem *item) {
        Q_EMIT optionTaken(static_cast<std::size_t>(indexOfTopLevelItem(item)));
    });
}

void StrategyTable::showOptions(const std::vector<StrategyOption> &options, ByteUnit unit)
{
    m_filling = true;
    clear();
    for (std::size_t i = 0; i < options.size(); ++i) {
        const StrategyOption &option = options[i];
        auto *row = new QTreeWidgetItem(this);
        const auto put = [&](int column, const QString &text) {
            row->setText(column, text);
            row->setTextAlignment(column,
                                  Qt::Alignment(isText(column) ? Qt::AlignLeft : Qt::AlignRight) |
                                      Qt::AlignVCenter);
        };
        const StepTime &time = option.time;
        const Projected speed = time.tokensPerSecond();
        put(LetterOfOption, choiceLetter(i));
        put(SpeedOfOption, roughText(speed.likely));
        row->setToolTip(SpeedOfOption,
                        u"%1 to %2 tokens/s"_s.arg(roughText(speed.low), roughText(speed.high)));
        put(DeviceOfOption, bytesText(option.standing.device, unit));
        row->setToolTip(DeviceOfOption, exactBytesText(option.standing.device, unit));
        put(WordOfOption, verdictText(option.standing.verdict));
        row->setForeground(WordOfOption, verdictColor(option.standing.verdict, themeOf(this)));
        put(CommunicationOfOption, stepShareText(time.communication / time.seconds.likely));
        put(IdleOfOption, stepShareText(time.idle / time.seconds.likely));
        put(FrontOfOption, option.onFront ? u"yes"_s : u"no"_s);
        put(TitleOfOption, toQString(option.title));
        row->setToolTip(TitleOfOption, toQString(option.title));
    }
    m_filling = false;
}

void StrategyTable::setSelected(std::optional<std::size_t> option)
{
    m_filling = true;
    setCurrentItem(option ? topLevelItem(static_cast<int>(*option)) : nullptr);
    m_filling = false;
}

} // namespace vramscope
