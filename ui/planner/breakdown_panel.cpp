// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/breakdown_panel.h"

#include "core/print/plan_report.h"
#include "ui/charts/chart.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/planner/why_text.h"
#include "ui/support/exact_role.h"
#include "ui/support/row_delegate.h"
#include "ui/support/scrolled_page.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/support/wrapped_label.h"

#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowHeight = 24;

/// As charts paint what is not tensors.
QIcon hatchIcon(const QWidget &on)
{
    constexpr int kSide = 10;
    QPixmap pixmap(QSize(kSide, kSide) * on.devicePixelRatioF());
    pixmap.setDevicePixelRatio(on.devicePixelRatioF());
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintSwatch(painter, QRectF(0, 0, kSide, kSide), kOutsidePart, themeOf(&on));
    return pixmap;
}

/// Cells of the breakdown: sizes without the unit, which the title names, and secondary columns in
/// the secondary colour.
class BreakdownDelegate : public RowDelegate
{
public:
    using RowDelegate::RowDelegate;

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        return {RowDelegate::sizeHint(option, index).width() + 2, kRowHeight};
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        const Theme &theme = themeOf(option.widget);
        QStyleOptionViewItem item = option;
        const bool secondary = index.column() > EstimateModel::SizeColumn;
        const QColor color = secondary ? theme.dim : theme.text;
        item.palette.setColor(QPalette::Text, color);
        item.state.setFlag(QStyle::State_HasFocus, false);
        item.state.setFlag(QStyle::State_Selected, false); // the row paints its tint itself
        RowDelegate::paint(painter, item, index);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        RowDelegate::initStyleOption(option, index);
        const auto *model = qobject_cast<const EstimateModel *>(index.model());
        if (model && index.column() == EstimateModel::SizeColumn)
            option->text = model->sizeText(index.data(kExactRole).toLongLong());
        if (model && index.column() == EstimateModel::ShareColumn)
            option->text.chop(2); // the title has the unit
        const auto part = index.column() == EstimateModel::PartColumn && model ? model->keyAt(index)
                                                                               : std::nullopt;
        if (part && part->part == kOutsidePart && part->component.empty())
            option->icon = hatchIcon(*option->widget);
    }
};

/// A tree with a hairline below each row, one tint over all of the selected row, and columns as
/// wide as their content.
class BreakdownTree : public QTreeView
{
public:
    using QTreeView::QTreeView;

    void fitColumns()
    {
        for (int column = EstimateModel::SizeColumn; column < EstimateModel::ColumnCount; ++column)
            header()->resizeSection(column, sizeHintForColumn(column));
    }

protected:
    void drawRow(QPainter *painter, const QStyleOptionViewItem &option,
                 const QModelIndex &index) const override
    {
        if (selectionModel() && selectionModel()->isRowSelected(index.row(), index.parent()))
            painter->fillRect(option.rect, themeOf(this).selection);
        QTreeView::drawRow(painter, option, index);
        painter->setPen(themeOf(this).line);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    }
};

BreakdownTree *makeTree(QWidget *parent)
{
    auto *tree = new BreakdownTree(parent);
    tree->setItemDelegate(new BreakdownDelegate(tree));
    tree->setFrameShape(QFrame::NoFrame);
    tree->setHeaderHidden(true);
    tree->setUniformRowHeights(true);
    tree->setIndentation(14);
    tree->setIconSize({10, 10});
    tree->setAllColumnsShowFocus(true);
    tree->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return tree;
}

} // namespace

BreakdownPanel::BreakdownPanel(QWidget *parent)
    : QScrollArea(parent)
    , m_model(new EstimateModel(this))
    , m_tree(makeTree(this))
    , m_title(headingLabel({}))
    , m_empty(dimLabel())
    , m_whyTitle(headingLabel({}))
    , m_why(new WrappedLabel)
    , m_figuresTitle(headingLabel(u"Figures"_s))
    , m_figures(new WrappedLabel)
{
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus); // its parts have it, and it follows them
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setBackgroundRole(QPalette::Base);
    auto *page = new ScrolledPage;
    page->setBackgroundRole(QPalette::Base);
    for (WrappedLabel *label : {m_why, m_figures}) {
        label->ignoreWidth();
        label->setTextFormat(Qt::RichText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    page->setLayout(column({m_title, m_tree, m_empty, Gap{8}, m_whyTitle, m_why, Gap{8},
                            m_figuresTitle, m_figures, EmptyRoom{0}},
                           6, {16, 16, 16, 16}));
    setWidget(page);

    m_tree->setAccessibleName(u"Memory by category"_s);
    m_tree->setModel(m_model);
    QHeaderView *header = m_tree->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setMinimumSectionSize(8);
    header->setSectionResizeMode(EstimateModel::PartColumn, QHeaderView::Stretch);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &BreakdownPanel::takeCurrent);
    connect(m_tree, &QTreeView::expanded, this, &BreakdownPanel::fitTree);
    connect(m_tree, &QTreeView::collapsed, this, &BreakdownPanel::fitTree);
}

void BreakdownPanel::showEstimate(const Estimate &estimate, std::size_t moment, ByteUnit unit)
{
    m_estimate = estimate;
    m_unit = unit;
    m_restoring = true;
    m_model->setUnit(unit);
    m_model->setEstimate(estimate, moment);
    m_restoring = false;
    const bool peak = moment == estimate.peakMoment;
    const QString at = peak || !estimate.computed
                           ? u"at the peak"_s
                           : toQString(momentPhrase(estimate.moments[moment].name));
    m_title->setText(estimate.computed
                         ? u"Breakdown %1, %2 and %"_s.arg(at, QLatin1StringView(gigaUnit(unit)))
                         : u"Breakdown"_s);
    m_empty->setText(estimate.computed ? QString() : u"not computed"_s);
    m_empty->setVisible(!estimate.computed);
    m_tree->setVisible(estimate.computed);
    restoreSelection();
    fitTree();
    refreshTexts();
}

void BreakdownPanel::selectPart(const PartKey &key)
{
    m_selection = key;
    restoreSelection();
    fitTree();
    refreshTexts();
}

void BreakdownPanel::setWhyShown(bool shown)
{
    m_whyShown = shown;
    refreshTexts();
}

void BreakdownPanel::addSection(QWidget *section)
{
    m_section = section;
    setSectionFirst(true);
}

void BreakdownPanel::setSectionFirst(bool first)
{
    auto *layout = static_cast<QVBoxLayout *>(widget()->layout());
    layout->removeWidget(m_section);
    layout->insertWidget(first ? 0 : layout->indexOf(m_empty) + 1, m_section);
}

void BreakdownPanel::restoreSelection()
{
    m_restoring = true;
    const QModelIndex index = selectedIndex();
    if (index.isValid() && index.parent().isValid())
        m_tree->expand(index.parent());
    if (m_tree->currentIndex() != index)
        m_tree->setCurrentIndex(index);
    m_restoring = false;
}

void BreakdownPanel::takeCurrent(const QModelIndex &current)
{
    const std::optional<PartKey> key = m_model->keyAt(current);
    if (m_restoring || !key)
        return;
    m_selection = key;
    refreshTexts();
    Q_EMIT partSelected(*key);
}

QString BreakdownPanel::whyText() const
{
    return QTextDocumentFragment::fromHtml(m_why->text()).toPlainText();
}

void BreakdownPanel::refreshTexts()
{
    const Theme &theme = themeOf(this);
    const QString why = whyHtml(m_model->componentsAt(selectedIndex()), theme, m_unit);
    m_whyTitle->setText(m_selection ? u"Why: %1"_s.arg(partName(m_selection->part)) : u"Why"_s);
    m_why->setText(why.isEmpty() && m_estimate.computed
                       ? u"<span style=\"color:%1\">%2</span>"_s.arg(theme.dim.name(), noWhyText())
                       : why);
    m_whyTitle->setVisible(m_whyShown && m_estimate.computed);
    m_why->setVisible(m_whyShown && m_estimate.computed);
    const QString figures = figuresHtml(m_estimate, theme, m_unit);
    m_figures->setText(figures);
    m_figures->setToolTip(figuresTip(m_estimate));
    m_figures->setVisible(!figures.isEmpty());
    m_figuresTitle->setVisible(!figures.isEmpty());
}

QModelIndex BreakdownPanel::selectedIndex() const
{
    if (!m_selection)
        return {};
    const QModelIndex index = m_model->indexOf(*m_selection);
    return index.isValid() ? index : m_model->indexOf({m_selection->part, {}});
}

// A part may be selected where others have it: in another moment, another plan.
QString BreakdownPanel::noWhyText() const
{
    if (!m_selection)
        return u"Select a part to see its formula."_s;
    bool elsewhere = false;
    for (std::size_t moment = 0; moment < m_estimate.moments.size(); ++moment)
        elsewhere = elsewhere || partBytes(m_estimate, moment)[m_selection->part] > 0;
    return elsewhere ? u"At this moment there is none."_s : u"This plan has none."_s;
}

void BreakdownPanel::fitTree()
{
    int rows = m_model->rowCount();
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex part = m_model->index(row, 0);
        rows += m_tree->isExpanded(part) ? m_model->rowCount(part) : 0;
    }
    static_cast<BreakdownTree *>(m_tree)->fitColumns();
    m_tree->setFixedHeight(std::max(rows, 1) * kRowHeight + 2);
}

void BreakdownPanel::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    fitTree(); // the style sheet has its say only now
}

void BreakdownPanel::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_why)
        refreshTexts();
}

} // namespace vramscope
