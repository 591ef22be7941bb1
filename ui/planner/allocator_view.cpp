// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/allocator_view.h"

#include "core/describe/allocator_tables.h"
#include "core/plan/plan.h"
#include "core/settings/settings.h"
#include "ui/jobs/job.h"
#include "ui/models/data_table_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/support/elided_label.h"
#include "ui/support/row_delegate.h"
#include "ui/support/setting_field.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <span>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Paints rows of settings: below what is reserved a bar on the capacity, and where memory
/// does not suffice, which the text says too, in the colour of what is bad.
class ReserveDelegate : public RowDelegate
{
public:
    ReserveDelegate(const AllocatorView *view, QObject *parent)
        : RowDelegate(parent)
        , m_view(view)
    {
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    [[nodiscard]] const PlannedReserve &reserveAt(const QModelIndex &index) const
    {
        return m_view->reserves().reserves[m_view->model()->rowAt(index.row())];
    }

    const AllocatorView *m_view;
};

constexpr double kBarHeight = 3;

void ReserveDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    RowDelegate::initStyleOption(option, index);
    const PlannedReserve &reserve = reserveAt(index);
    if (index.column() != AllocatorView::Word || !reserve.verdict)
        return;
    const QColor color = verdictColor(*reserve.verdict, themeOf(option->widget));
    option->palette.setColor(QPalette::Text, color);
    option->palette.setColor(QPalette::HighlightedText, color);
}

void ReserveDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    RowDelegate::paint(painter, option, index);
    const PlannedReserve &reserve = reserveAt(index);
    const std::optional<double> share = m_view->reserves().share(reserve);
    if (index.column() != AllocatorView::Reserved || !share)
        return;
    const Theme &theme = themeOf(option.widget);
    QRectF bar = QRectF(option.rect).adjusted(6, 0, -4, -1);
    bar.setTop(bar.bottom() - kBarHeight);
    painter->fillRect(bar, theme.line);
    bar.setWidth(bar.width() * std::clamp(*share, 0.0, 1.0));
    painter->fillRect(bar, verdictColor(reserve.verdict, theme, theme.accent));
}

constexpr int kWait = 80; ///< milliseconds in which the plan does not change

constexpr int kLeastRows = 5;
const QString kShortName = u"expandable_segments:True"_s; ///< shown whole
constexpr int kCellMargins = 18;

} // namespace

AllocatorView::AllocatorView(QWidget *parent)
    : PlanFollower(parent)
    , m_factor(new WrappedLabel)
    , m_why(new ElidedLabel(Qt::ElideRight))
    , m_advice(new WrappedLabel)
    , m_own(new SettingField)
    , m_problems(new WrappedLabel)
    , m_copy(new QPushButton(u"&Copy setting"_s))
    , m_model(new DataTableModel(this))
    , m_table(new QTableView)
    , m_basis(new ElidedLabel(Qt::ElideRight))
    , m_body(makeBody())
    , m_empty(emptyLabel())
{
    setUpTable();
    m_empty->hide();
    m_body->hide();
    m_wait.setSingleShot(true);
    m_wait.setInterval(kWait);
    connect(&m_wait, &QTimer::timeout, this, &AllocatorView::search);
    setLayout(column({{m_body, 1}, {m_empty, 1}}, kStyleSpacing, {4, 6, 4, 4}));
    connect(m_own, &SettingField::textChanged, this, &AllocatorView::showProblems);
    connect(m_own, &SettingField::editingFinished, this, [this] {
        const std::string wish = m_own->configuration();
        if (std::exchange(m_wish, wish) != wish)
            outdate();
    });
    connect(m_copy, &QPushButton::clicked, this, &AllocatorView::copyChosen);
}

AllocatorView::~AllocatorView() = default;

QWidget *AllocatorView::makeBody()
{
    for (QLabel *sentence : {m_factor, m_advice, m_problems})
        sentence->setTextFormat(Qt::PlainText);
    for (QLabel *sentence : {m_factor, m_advice})
        sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QLabel *remark : std::initializer_list<QLabel *>{m_why, m_basis})
        remark->setProperty("role", u"dim"_s);
    m_problems->setProperty("role", u"bad"_s);
    m_problems->hide();
    m_copy->setAccessibleName(u"Copy the chosen setting"_s);
    QHBoxLayout *line = row({m_own->makeLabel(), {m_own, 1}, m_copy}, 6);
    return panel(column({m_factor, m_why, m_advice, m_basis, line, m_problems, {m_table, 1}}, 4));
}

void AllocatorView::setUpTable()
{
    m_model->setTable(reservesTable(m_found, m_unit));
    m_table->setModel(m_model);
    m_table->installEventFilter(this);
    m_table->setAccessibleName(u"Settings of the allocator"_s);
    setUpRowTable(*m_table);
    m_table->setItemDelegate(new ReserveDelegate(this, m_table));
    m_table->horizontalHeader()->setStretchLastSection(false); // fitColumns() does, and never cuts
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(Setting, Qt::AscendingOrder);
    m_table->setMinimumHeight((kLeastRows + 1) * m_table->verticalHeader()->defaultSectionSize());
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { m_copy->setEnabled(!chosen().empty()); });
}

void AllocatorView::fitColumns()
{
    m_table->resizeColumnsToContents();
    const QWidget *bar = m_table->verticalScrollBar();
    const int most = m_table->width() - (bar->isVisible() ? bar->width() : 0);
    int others = 0;
    for (int column = Reserved; column < m_model->columnCount(); ++column)
        others += m_table->columnWidth(column);
    // Beside a long name of a setting its figures are still seen.
    QFont bold = m_table->font();
    bold.setBold(true);
    const int least = QFontMetrics(bold).horizontalAdvance(kShortName) + kCellMargins;
    const int name = std::min(m_table->columnWidth(Setting), std::max(most - others, least));
    m_table->setColumnWidth(Setting, name);
    const int where = m_table->columnWidth(Where);
    m_table->setColumnWidth(Where, std::max(where, most - name - others + where));
}

QString AllocatorView::emptyText() const
{
    return toQString(whyNothingReserved(m_estimate, m_found->reserves));
}

void AllocatorView::takeUnit()
{
    m_model->setUnit(m_unit);
    m_model->setTable(reservesTable(m_found, m_unit)); // the range is text
    if (m_errors)
        showFound();
}

void AllocatorView::compute()
{
    m_job.reset();
    m_wait.start();
}

void AllocatorView::search()
{
    m_job = std::make_unique<Job>(work(), [this](Found found) { take(std::move(found)); });
    showProgress(*m_job, this);
}

void AllocatorView::workNow()
{
    if (!std::exchange(m_outdated, false) && !m_wait.isActive())
        return;
    m_wait.stop();
    take(work()({}));
}

std::function<AllocatorView::Found(const Progress &)> AllocatorView::work() const
{
    return [plan = m_plan, figures = m_estimate, own = m_wish,
            errors = m_errors](const Progress &progress) {
        Found found{planReserves(plan, figures, own, progress), {}};
        if (errors)
            found.errors = *errors; // the same for every plan
        else if (!progress || progress(1))
            found.errors = shippedReserveErrors();
        return found;
    };
}

void AllocatorView::take(Found found)
{
    const std::optional<int> ownBefore = rowOf(m_wish);
    const std::string before = chosen();
    const bool first = m_model->rowCount() == 0;
    m_errors = std::move(found.errors);
    m_found = std::make_shared<const PlanReserves>(std::move(found.reserves));
    m_model->setTable(reservesTable(m_found, m_unit));
    if (!m_wish.empty() && !ownBefore && rowOf(m_wish))
        choose(m_wish);
    else if (first && m_found->best)
        choose(m_found->reserves[*m_found->best].configuration);
    else
        choose(before);
    showFound();
    Q_EMIT answered();
}

void AllocatorView::showFound()
{
    const QString empty = emptyText();
    m_empty->setText(empty);
    m_empty->setVisible(!empty.isEmpty());
    m_body->setVisible(empty.isEmpty());
    if (!empty.isEmpty())
        return;
    m_factor->setText(factorText(m_plan, m_estimate, m_unit));
    m_why->setFullText(whyFactorText(*m_errors));
    m_advice->setText(reserveAdvice(*m_found, m_unit));
    m_basis->setFullText(reserveBasis(*m_found, m_unit));
    fitColumns();
}

void AllocatorView::showProblems()
{
    const QString problems = settingProblems(m_own->configuration()).join(u'\n');
    m_problems->setText(problems);
    m_problems->setVisible(!problems.isEmpty());
}

std::string AllocatorView::chosen() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? m_found->reserves[m_model->rowAt(current.row())].configuration
                             : std::string();
}

std::optional<int> AllocatorView::rowOf(const std::string &configuration) const
{
    const auto found =
        std::ranges::find(m_found->reserves, configuration, &PlannedReserve::configuration);
    if (found == m_found->reserves.end())
        return {};
    return m_model->placeOf(static_cast<std::size_t>(found - m_found->reserves.begin()));
}

void AllocatorView::choose(const std::string &configuration)
{
    const int row = rowOf(configuration).value_or(rowOf({}).value_or(-1));
    m_table->setCurrentIndex(m_model->index(row, 0));
}

void AllocatorView::copyChosen() const
{
    if (!chosen().empty())
        QGuiApplication::clipboard()->setText(assignmentText(chosen()));
}

// The table has its size later than this view: where it is laid out for the first time.
bool AllocatorView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table && event->type() == QEvent::Resize)
        fitColumns();
    return PlanFollower::eventFilter(watched, event);
}

namespace {

QString percentText(double percent)
{
    return toQString(formatNumber(percent, 3)) + u" %"_s;
}

} // namespace

QString factorText(const Plan &plan, const Estimate &figures, ByteUnit unit)
{
    const double factor = reservedOfAllocated(figures);
    const QString text =
        u"This plan's figures: %1 reserved (%2 to %3), by a factor of %4 on what is allocated."_s
            .arg(bytesText(figures.peakReserved, unit), bytesText(figures.reservedLow, unit),
                 bytesText(figures.reservedHigh, unit), toQString(formatNumber(factor, 4)));
    return (text + u' ' + toQString(reserveRemark(plan))).trimmed();
}

QString whyFactorText(const ReserveErrors &errors)
{
    const ErrorSummary &factor = errors.factor;
    const ErrorSummary &simulated = errors.simulated;
    return u"Over %1 measured peaks such a factor is off by %2 in the median and %3 at the 95th "
           "percentile, the simulation alone by %4 and %5: so the factor gives the figure, and "
           "the simulation how much of its slack a setting keeps."_s.arg(
               countText(static_cast<std::int64_t>(factor.count)), percentText(factor.median),
               percentText(factor.percentile95), percentText(simulated.median),
               percentText(simulated.percentile95));
}

QString reserveAdvice(const PlanReserves &found, ByteUnit unit)
{
    const PlannedReserve &now = found.reserves.front();
    if (!found.best)
        return now.verdict == Verdict::DoesNotFit
                   ? u"The plan does not fit under any of these settings."_s
                   : u"None of these settings is worth a change."_s;
    const PlannedReserve &best = found.reserves[*found.best];
    const QString verdict = best.verdict ? u" ("_s + verdictText(*best.verdict) + u')' : QString();
    return u"%1 is worth a change: %2%3 instead of %4 under %5."_s.arg(
        toQString(configurationName(best.configuration)),
        bytesText(best.result.figures.peakReserved, unit), verdict,
        bytesText(now.result.figures.peakReserved, unit),
        now.configuration.empty() ? u"PyTorch's default"_s : u"the plan's own settings"_s);
}

QString reserveBasis(const PlanReserves &found, ByteUnit unit)
{
    const QString steps = u"A first and a steady step, begun with an empty allocator."_s;
    if (!found.capacity)
        return steps + u' ' + u"The device has no limit: its capacity is unknown."_s;
    return steps + u' ' +
           u"The device has %1 for the allocator, next to context and communicators."_s.arg(
               bytesText(*found.capacity, unit));
}

} // namespace vramscope
