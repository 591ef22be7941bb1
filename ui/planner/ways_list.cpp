// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/ways_list.h"

#include "core/estimate/verdict.h"
#include "core/plan/plan.h"
#include "core/print/fit_report.h"
#include "ui/planner/field_text.h"
#include "ui/planner/fit_text.h"
#include "ui/planner/look.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QMetaType>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kFirstWays = 3; ///< shown before more are asked for

/// The texts of a way to fit.
struct WayRow
{
    QString title;
    QString saved; ///< "−13.7 GiB"
    QString price;
    QString mark;                     ///< the verdict in words
    std::optional<Verdict> verdict{}; ///< with it, where that is the question
};

/// Paints a way to fit: title and bytes in one line, price and mark below it.
class WayDelegate : public QStyledItemDelegate
{
public:
    static constexpr int kRowRole = Qt::UserRole;

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option,
                                 const QModelIndex &index) const override;
};

constexpr int kPadding = 5;
constexpr int kGap = 10;

/// The price with places where a long name of a setting may break.
QString breakable(QString price)
{
    return price.replace(u'=', u"=\u200b"_s).replace(u'_', u"_\u200b"_s);
}

/// The width that the price may take beside the mark.
int priceWidth(const QFontMetrics &small, const WayRow &row, int width)
{
    const int mark = row.mark.isEmpty() ? 0 : small.horizontalAdvance(row.mark) + kGap;
    return std::max(width - mark - 2, 60);
}

int priceHeight(const QFontMetrics &small, const WayRow &row, int width)
{
    return small
        .boundingRect(QRect(0, 0, priceWidth(small, row, width), 1000), Qt::TextWordWrap,
                      breakable(row.price))
        .height();
}

void WayDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                        const QModelIndex &index) const
{
    const auto row = index.data(kRowRole).value<WayRow>();
    const Theme &theme = themeOf(option.widget);
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const bool current = view && view->hasFocus() && view->currentIndex() == index;
    painter->save();
    if (current || option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, theme.selection);
    const QFont font = option.widget->font();
    const QFont small = typeFont(option.widget, Type::Small);
    const QFontMetrics metrics(font);
    const QRect inside = option.rect.adjusted(1, kPadding, -1, -kPadding);
    const int saved = metrics.horizontalAdvance(row.saved);
    painter->setFont(font);
    painter->setPen(theme.text);
    painter->drawText(inside, Qt::AlignLeft | Qt::AlignTop,
                      metrics.elidedText(row.title, Qt::ElideRight, inside.width() - saved - kGap));
    painter->setPen(theme.good);
    painter->drawText(inside, Qt::AlignRight | Qt::AlignTop, row.saved);
    painter->setFont(small);
    const QRect below = inside.adjusted(0, metrics.height() + 1, 0, 0);
    painter->setPen(verdictColor(row.verdict, theme, theme.dim));
    painter->drawText(below, Qt::AlignRight | Qt::AlignTop, row.mark);
    painter->setPen(theme.dim);
    painter->drawText(
        QRect(below.topLeft(),
              QSize(priceWidth(QFontMetrics(small), row, inside.width()), below.height())),
        Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, breakable(row.price));
    painter->setPen(theme.line);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
}

QSize WayDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const int width = view ? view->viewport()->width() : option.rect.width();
    const QFontMetrics small(typeFont(option.widget, Type::Small));
    const auto row = index.data(kRowRole).value<WayRow>();
    return {width, QFontMetrics(option.widget->font()).height() + 1 +
                       priceHeight(small, row, width - 2) + 2 * kPadding + 1};
}

/// A list whose rows are taken by one click or Enter. The second press of a double click is none:
/// it would take the way that has moved under the mouse.
class ChoosingList : public QListWidget
{
public:
    using QListWidget::QListWidget;
    std::function<void(int)> onChosen;

protected:
    void mouseDoubleClickEvent(QMouseEvent *event) override { event->accept(); }

    void mousePressEvent(QMouseEvent *event) override
    {
        QListWidget::mousePressEvent(event);
        m_pressed = indexAt(event->position().toPoint()).row();
    }

    void mouseReleaseEvent(QMouseEvent *event) override
    {
        QListWidget::mouseReleaseEvent(event);
        const int row = indexAt(event->position().toPoint()).row();
        const int pressed = std::exchange(m_pressed, -1);
        if (event->button() == Qt::LeftButton && row >= 0 && row == pressed)
            onChosen(row);
    }

    void keyPressEvent(QKeyEvent *event) override
    {
        const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        if (enter && currentRow() >= 0)
            onChosen(currentRow());
        else
            QListWidget::keyPressEvent(event);
    }

    void focusInEvent(QFocusEvent *event) override
    {
        QListWidget::focusInEvent(event);
        if (currentRow() < 0)
            setCurrentRow(0);
    }

private:
    int m_pressed = -1;
};

ChoosingList *makeList()
{
    auto *list = new ChoosingList;
    list->setAccessibleName(u"Ways to fit"_s);
    list->setItemDelegate(new WayDelegate(list));
    list->setFrameShape(QFrame::NoFrame);
    list->setMouseTracking(true);
    list->setCursor(Qt::PointingHandCursor);
    list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return list;
}

/// Scrolls what lies around the list to its current row.
void showCurrentRow(QListWidget *list)
{
    for (QWidget *parent = list->parentWidget(); parent; parent = parent->parentWidget()) {
        auto *area = qobject_cast<QScrollArea *>(parent);
        if (!area)
            continue;
        const QRect row = list->visualItemRect(list->currentItem());
        const QPoint middle = list->viewport()->mapTo(area->widget(), row.center());
        area->ensureVisible(middle.x(), middle.y(), 0, row.height());
        return;
    }
}

/// The verdict with a sign for those that see no colour.
QString markOf(Verdict verdict)
{
    return (verdict == Verdict::Fits ? u"✓ "_s : QString()) + verdictText(verdict);
}

} // namespace

QString gainText(const WayToFit &way, ByteUnit unit)
{
    if (way.givesToCache())
        return toQString(
            cacheGainText({.tokens = way.cache->tokens,
                           .sequences = way.cache->tokens == 0 ? way.cache->sequences : 0}));
    return way.saved <= 0 ? QString() : u"−"_s + bytesText(way.saved, unit);
}

WaysList::WaysList(QWidget *parent)
    : PlanFollower(parent)
    , m_title(headingLabel({}))
    , m_remark(dimLabel())
    , m_list(makeList())
    , m_more(quietButton({}))
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum); // what is left over stays below
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_title, m_remark, m_list})
        layout->addWidget(widget);
    layout->addWidget(m_more, 0, Qt::AlignLeft);
    static_cast<ChoosingList *>(m_list)->onChosen = [this](int row) {
        const WayToFit way = m_ways[static_cast<std::size_t>(row)]; // the list is about to change
        Q_EMIT wayChosen(way);
    };
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && m_list->hasFocus())
            showCurrentRow(m_list);
    });
    connect(m_more, &QToolButton::clicked, this, [this] {
        m_all = !m_all;
        fill();
    });
}

QString WaysList::remark() const
{
    return m_remark->text();
}

void WaysList::compute()
{
    m_ways = waysToFit(m_plan);
    fill();
}

void WaysList::fill()
{
    const std::optional<Verdict> now = verdictOf(m_estimate);
    const bool saves = now.value_or(Verdict::Fits) == Verdict::Fits; // nothing is to be made fit
    // Above the list the recommendation has the first ways to fit.
    const std::size_t first = saves ? std::min(m_ways.size(), kFirstWays) : 0;
    const std::size_t shown = m_all ? m_ways.size() : first;
    const int current = m_list->currentRow();
    m_title->setText(!saves                   ? u"Single changes"_s
                     : allGiveToCache(m_ways) ? u"Ways to give the cache room, cheapest first"_s
                                              : u"Ways to save, cheapest first"_s);
    m_list->clear();
    for (std::size_t i = 0; i < shown; ++i) {
        const WayToFit &way = m_ways[i];
        const WayRow row{toQString(way.title), gainText(way, m_unit),
                         (way.changesResults ? u"Changes results. "_s : QString()) +
                             toQString(way.price),
                         saves ? QString() : markOf(way.standing.verdict),
                         saves ? std::nullopt : std::optional(way.standing.verdict)};
        auto *item = new QListWidgetItem(m_list);
        item->setData(WayDelegate::kRowRole, QVariant::fromValue(row));
        item->setToolTip(tipText(way));
        item->setData(Qt::AccessibleTextRole,
                      QStringList{row.title, row.saved, row.mark, row.price}.join(u", "_s));
    }
    m_list->setCurrentRow(std::min(current, static_cast<int>(shown) - 1));
    m_list->setVisible(shown > 0);
    m_more->setVisible(m_ways.size() > first);
    m_more->setText(m_all ? u"Fewer ▾"_s : u"All %1 ▸"_s.arg(m_ways.size()));
    m_remark->setText(remarkText());
    m_remark->setVisible(!m_remark->text().isEmpty());
    fitHeight();
}

QString WaysList::remarkText() const
{
    if (!m_estimate.computed)
        return u"not computed"_s;
    if (!m_estimate.headroom)
        return unknownCapacityText(*m_estimate.settings);
    const bool saves = verdictOf(m_estimate).value_or(Verdict::Fits) == Verdict::Fits;
    if (m_ways.empty())
        return saves ? u"The plan fits, and no single change of the table makes it smaller."_s
                     : u"No single change of the table makes this plan smaller."_s;
    if (!saves)
        return toQString(waysSentence(m_ways)) + u'.';
    return allGiveToCache(m_ways)
               ? u"The peak on the GPU stays: these changes give vLLM's cache more room."_s
               : QString();
}

QString WaysList::tipText(const WayToFit &way) const
{
    QStringList lines{u"<b>%1</b>"_s.arg(toQString(way.title).toHtmlEscaped()),
                      toQString(way.price).toHtmlEscaped()};
    if (way.changesResults)
        lines.append(u"Changes what is computed, not only how."_s);
    if (way.saved > 0)
        lines.append(u"saves %1"_s.arg(exactBytesText(way.saved, m_unit)));
    if (way.saved < 0)
        lines.append(u"takes %1 more"_s.arg(exactBytesText(-way.saved, m_unit)));
    if (way.cache)
        lines.append(u"the cache: %1, %2"_s.arg(signedBytesText(way.cache->bytes, m_unit),
                                                toQString(cacheGainText(*way.cache))));
    const Bytes room = way.standing.headroom;
    lines.append((room >= 0 ? u"then %1 to spare"_s : u"then still %1 too much"_s)
                     .arg(exactBytesText(std::abs(room), m_unit)));
    const auto addShare = [&](const QString &of, double share) {
        if (std::abs(share) >= 0.001)
            lines.append(of.arg((share < 0 ? u"−"_s : u"+"_s) +
                                toQString(formatNumber(100 * std::abs(share), 3))));
    };
    addShare(u"recomputed: %1 % of the step's arithmetic"_s, way.recomputeShare);
    addShare(u"pipeline bubble: %1 % of the step"_s, way.bubbleShare);
    if (way.communicationBytes != 0)
        lines.append(u"sent a step: %1"_s.arg(signedBytesText(way.communicationBytes, m_unit)));
    if (way.hostBytes != 0)
        lines.append(u"on the host: %1"_s.arg(signedBytesText(way.hostBytes, m_unit)));
    if (way.gpus != 0)
        lines.append(u"GPUs: +%1"_s.arg(countText(way.gpus)));
    for (const FieldSetting &setting : way.fields) {
        const Field &field = fieldAt(setting.path);
        lines.append(
            u"%1: %2"_s.arg(toQString(field.label), fieldValueText(field, setting.value, m_unit))
                .toHtmlEscaped());
    }
    return lines.join(u"<br>"_s);
}

void WaysList::fitHeight()
{
    m_list->doItemsLayout();
    int height = 2;
    for (int row = 0; row < m_list->count(); ++row)
        height += m_list->sizeHintForRow(row);
    m_list->setFixedHeight(height);
}

void WaysList::showEvent(QShowEvent *event)
{
    PlanFollower::showEvent(event);
    fitHeight(); // the style sheet has its say only now
}

void WaysList::resizeEvent(QResizeEvent *event)
{
    PlanFollower::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) // rows wrap anew
        fitHeight();
}

} // namespace vramscope
