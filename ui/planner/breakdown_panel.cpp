// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/breakdown_panel.h"

#include "core/estimate/rollout/rollout_memory.h"
#include "core/print/formula_symbols.h"
#include "core/print/plan_report.h"
#include "ui/charts/chart.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
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
#include <set>

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

namespace {

QString figureRow(const QString &name, const QString &value, const Theme &theme)
{
    return u"<tr><td style=\"color:%1; padding-bottom:4px\">%2</td>"
           "<td align=\"right\" style=\"padding-bottom:4px\">%3</td></tr>"_s.arg(theme.dim.name(),
                                                                                 name, value);
}

QString formulaBox(const QString &formula, const Theme &theme)
{
    const QFont mono = monospaceFont();
    // The result, or the numbers put in, stand on a line of their own.
    QString broken = formula.toHtmlEscaped();
    if (const qsizetype last = broken.lastIndexOf(u" = "_s); last >= 0)
        broken.replace(last, 1, u"<br>"_s);
    return u"<table width=\"100%\" cellpadding=\"6\" cellspacing=\"0\" bgcolor=\"%1\"><tr><td "
           "style=\"font-family:'%2'; font-size:%3pt; white-space:pre-wrap\">%4</td></tr></table>"_s
               .arg(theme.window.name(), mono.family(), QString::number(mono.pointSizeF(), 'f', 1),
                    broken);
}

} // namespace

QString evidenceText(const Component &component)
{
    switch (component.evidence) {
    case Evidence::Verified:
        return u"Checked against measured runs."_s;
    case Evidence::Sourced:
        return u"As the source states it."_s;
    case Evidence::Derived:
        return u"Derived from first principles; not checked against a measurement."_s;
    case Evidence::Empirical:
        break;
    }
    return component.spread > 0 ? u"An empirical figure, ± %1 %."_s.arg(
                                      toQString(formatNumber(100 * component.spread, 2)))
                                : u"An empirical figure."_s;
}

QString whyHtml(const std::vector<Component> &components, const Theme &theme, ByteUnit unit)
{
    QString html;
    std::set<std::string_view> explained;
    for (const Component &component : components) {
        html +=
            u"<p style=\"margin:%1px 0 4px 0\"><b>%2</b> <span style=\"color:%3\">· %4</span></p>"_s
                .arg(QString::number(html.isEmpty() ? 0 : 12),
                     toQString(component.name).toHtmlEscaped(), theme.dim.name(),
                     exactBytesText(component.bytes, unit));
        if (!component.formula.empty())
            html += formulaBox(toQString(component.formula), theme);
        if (const std::string symbols = symbolsText(component.formula, explained); !symbols.empty())
            html += u"<p style=\"margin:4px 0 0 0; color:%1\">%2</p>"_s.arg(theme.dim.name(),
                                                                            toQString(symbols));
        QString source = toQString(component.source).trimmed();
        if (!source.isEmpty() && !source.endsWith(u'.'))
            source += u'.';
        html += u"<p style=\"margin:4px 0 0 0; color:%1\">%2 %3</p>"_s.arg(
            theme.dim.name(), source.toHtmlEscaped(), evidenceText(component));
    }
    return html;
}

QString figuresHtml(const Estimate &estimate, const Theme &theme, ByteUnit unit)
{
    QString rows;
    const auto add = [&](const QString &name, const QString &value) {
        rows += figureRow(name, value, theme);
    };
    if (estimate.parametersTotal > 0)
        add(u"Parameters"_s, countText(estimate.parametersTotal));
    if (estimate.parametersActive > 0 && estimate.parametersActive != estimate.parametersTotal)
        add(u"active for a token"_s, countText(estimate.parametersActive));
    // Equal unless tensors, blocks or experts are split; shards of a data-parallel group are not.
    if (estimate.parametersPerRank > 0 && estimate.parametersPerRank != estimate.parametersTotal)
        add(u"of the model's split on this GPU"_s, countText(estimate.parametersPerRank));
    for (const RolloutPhase &phase : rolloutPhases(estimate)) {
        add(capitalized(toQString(phase.name)),
            u"%1 + %2"_s.arg(bytesText(phase.trainer, unit), bytesText(phase.engine, unit)));
    }
    if (estimate.hostBytes > 0)
        add(u"Host memory"_s, bytesText(estimate.hostBytes, unit));
    if (estimate.communicationBytes > 0)
        add(u"Communication a step"_s, bytesText(estimate.communicationBytes, unit));
    for (std::size_t stage = 0; estimate.stages.size() > 1 && stage < estimate.stages.size();
         ++stage)
        add(u"Peak of stage %1"_s.arg(stage), bytesText(estimate.stages[stage], unit));
    if (const auto &serving = estimate.inference; serving && serving->keepsCache()) {
        add(u"Cache per token"_s, bytesText(serving->kvBytesPerToken, unit));
        if (serving->stateBytesPerSequence > 0)
            add(u"States per sequence"_s, bytesText(serving->stateBytesPerSequence, unit));
        add(u"Cache"_s, bytesText(serving->kvCache, unit));
        add(u"Tokens in the cache"_s, countText(serving->kvTokens));
        if (serving->maxConcurrency > 0)
            add(u"Longest sequences at once"_s,
                toQString(formatNumber(serving->maxConcurrency, 4)));
    }
    return rows.isEmpty() ? QString()
                          : u"<table width=\"100%\" cellspacing=\"0\">%1</table>"_s.arg(rows);
}

QString figuresTip(const Estimate &estimate)
{
    QStringList lines{u"Parameters: of the whole model, as counted under Model"_s};
    if (estimate.parametersActive > 0 && estimate.parametersActive != estimate.parametersTotal)
        lines += u"active: those that one token uses; the other experts rest"_s;
    if (estimate.parametersPerRank > 0 && estimate.parametersPerRank != estimate.parametersTotal)
        lines +=
            u"of the model's split: what tensor, pipeline and expert parallel leave to a GPU"_s;
    if (estimate.hasRollout())
        lines +=
            u"Generation to weight sync: trainer + engine, allocated at the highest moment of each phase"_s;
    if (estimate.hostBytes > 0)
        lines += u"Host memory: what is offloaded, for each GPU"_s;
    if (estimate.communicationBytes > 0)
        lines += u"Communication: bytes that each GPU sends in a step"_s;
    if (estimate.stages.size() > 1)
        lines += u"Peak of a stage: allocated on each of its GPUs"_s;
    if (estimate.inference && estimate.inference->keepsCache())
        lines += {u"Cache per token: keys and values of all layers, on one GPU"_s,
                  u"Longest sequences at once: how many of the greatest length the cache holds"_s};
    return lines.join(u'\n');
}

} // namespace vramscope
