// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/serving_log_page.h"

#include "core/describe/serving_log_tables.h"
#include "core/print/cells.h"
#include "core/print/serving_log_report.h"
#include "core/serving_logs/log_diagnosis.h"
#include "core/serving_logs/log_verdict.h"
#include "ui/charts/segment_bars.h"
#include "ui/page/card.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/serving_log/log_budget_bars.h"
#include "ui/serving_log/stage_bar.h"
#include "ui/stage/stage_views.h"
#include "ui/support/fact_table.h"
#include "ui/support/scrolled_page.h"
#include "ui/support/text.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

StageScene answerOf(const ServingLogDocument &document, ByteUnit unit)
{
    StageScene scene{foreignText(servingLogAnswer(document.log, unit)), nullptr};
    std::vector<SegmentBar> bars = budgetBars(document.log, unit);
    if (bars.empty())
        return scene;
    auto view = std::make_shared<SegmentBars>();
    view->setUnit(unit);
    view->setBars(std::move(bars));
    scene.view = std::move(view);
    return scene;
}

StageScene stagesOf(const ServingLogDocument &document, ByteUnit unit)
{
    auto view = std::make_shared<StageBar>();
    view->setUnit(unit);
    view->setLog(document.log);
    return {u"How far the start came."_s, std::move(view)};
}

StageScene besidePlan(const ServingLogDocument &document, ByteUnit unit)
{
    return {u"The log next to its plan."_s,
            tableView(logDifferencesTable(document.implied.comparison), unit)};
}

StageScene figuresOf(const ServingLogDocument &document, ByteUnit unit)
{
    return {u"The figures of the log."_s,
            tableView(pickedColumns(logFiguresTable(document.log), {"meaning", "amount"}), unit)};
}

/// What a presentation can show of a log: the answer over its budget, the figures next to those of
/// its plan, the diagnosis; every figure where it is chosen.
std::vector<StageItem> servingLogItems(const std::shared_ptr<const ServingLogDocument> &document,
                                       ByteUnit unit)
{
    std::vector<StageItem> items;
    items.push_back({"answer", u"The answer"_s,
                     [document, unit] { return onCard(answerOf(*document, unit)); }});
    if (!document->log.stages.empty())
        items.push_back({"stages", u"Stages of the start"_s,
                         [document, unit] { return onCard(stagesOf(*document, unit)); }});
    const LogComparison &comparison = document->implied.comparison;
    if (comparison.whyNot.empty() && !comparison.rows.empty())
        items.push_back({"plan", u"The log next to its plan"_s,
                         [document, unit] { return onCard(besidePlan(*document, unit)); }});
    for (const Finding &finding : findingsOf(document->log, &document->implied.plan.plan, unit))
        items.push_back(
            {"finding:" + finding.title, foreignText(finding.title), [finding] {
                 return StageScene{foreignText(finding.title + ". " + finding.sentence), nullptr};
             }});
    items.push_back({"figures", u"The figures of the log"_s,
                     [document, unit] { return onCard(figuresOf(*document, unit)); }, false});
    return items;
}

QLabel *boldLabel(const QString &text, Type type = Type::Body)
{
    QLabel *label = wideLabel(text);
    setBold(*label, type);
    return label;
}

/// A title that fits a button.
QString shortened(const QString &title)
{
    constexpr qsizetype kMost = 30;
    return title.size() > kMost ? title.first(kMost - 1) + u'…' : title;
}

} // namespace

ServingLogPage::ServingLogPage(std::shared_ptr<const ServingLogDocument> document, QString title,
                               QWidget *parent)
    : DocumentPage(document, parent)
    , m_document(std::move(document))
    , m_title(std::move(title))
    , m_planned(m_document->implied)
    , m_findings(column({}, 8))
    , m_compared(new FactTable(u"The log next to its plan"_s))
{
    m_comparison = new Card({}, {m_compared});
    m_columns = new CardColumns({new Card(u"Diagnosis"_s, {m_findings}), makePlan()},
                                {m_comparison, makeFigures(), makeChecks()});
    auto *content = new ScrolledPage;
    content->setLayout(column({makeHead(), makeBudget(), {m_columns, 1}}, 12, {18, 12, 18, 16}));
    setLayout(column({scrolled(content, u"Figures of the log"_s)}));
    showFigures();
    showPlan();
}

QWidget *ServingLogPage::makeHead()
{
    const ServingLog &log = m_document->log;
    m_answer = boldLabel({}, Type::Head);
    QVBoxLayout *layout = column(
        {m_answer,
         wideLabel(u"%1 · %2, %3"_s.arg(
                       foreignText(servingLogTitle(log)), toQString(counted(log.lines, "line")),
                       toQString(counted(static_cast<std::int64_t>(log.figures.size()), "figure"))),
                   u"dim"_s)},
        4);
    m_verdict = wideLabel({}, u"warn"_s);
    m_stages = new StageBar;
    m_stages->setLog(log);
    m_stages->setVisible(!log.stages.empty());
    layout->addWidget(m_verdict);
    layout->addWidget(m_stages);
    for (const LogRefusal &refusal : log.refusals)
        layout->addWidget(
            wideLabel(u"Line %1%2: %3"_s.arg(countText(refusal.line),
                                             refusal.count > 1 ? u", %1 times"_s.arg(refusal.count)
                                                               : QString(),
                                             foreignText(refusal.sentence)),
                      u"dim"_s));
    for (const std::string &problem : log.problems)
        layout->addWidget(wideLabel(foreignText(problem), u"warn"_s));
    return panel(layout);
}

QWidget *ServingLogPage::makeBudget()
{
    m_bar = new SegmentBars;
    m_bar->setAccessibleName(u"What takes the memory"_s);
    auto *card = new Card(u"What takes the memory"_s,
                          {m_bar, wideLabel(budgetNote(m_document->log), u"dim"_s)});
    if (budgetBars(m_document->log, unit()).empty())
        card->hide();
    return card;
}

QWidget *ServingLogPage::makeFigures()
{
    m_figures = new FactTable(u"Figures of the log"_s);
    QLabel *about = wideLabel(
        u"Across ranks: highest use, lowest room. Repeated measurements: last value."_s, u"dim"_s);
    return new Card(u"Figures"_s, {about, m_figures});
}

QWidget *ServingLogPage::makeChecks()
{
    if (m_document->log.checks.empty())
        return nullptr;
    auto *table = new FactTable(u"Checks among the figures"_s);
    table->setTable(logChecksTable(m_document->log), unit());
    return new Card(u"Checks"_s, {table});
}

QWidget *ServingLogPage::makePlan()
{
    m_settings = new FactTable(u"Settings from the log"_s);
    m_notes = column({}, 6);
    m_open = new QPushButton(u"Open as plan"_s);
    m_take = new QPushButton;
    connect(m_open, &QPushButton::clicked, this, &ServingLogPage::openPlan);
    connect(m_take, &QPushButton::clicked, this, &ServingLogPage::takeOver);
    m_planCard =
        new Card({}, {m_settings, m_notes, row({m_open, m_take, EmptyRoom()}, kStyleSpacing)});
    return m_planCard;
}

void ServingLogPage::setPlan(const Plan &plan, const QString &title)
{
    if (m_plan == plan && m_planTitle == title && m_missing.isEmpty())
        return;
    if (m_plan != plan)
        m_planned = plannedLog(m_document->log, plan);
    m_plan = plan;
    m_planTitle = title;
    m_missing.clear();
    showFigures();
    showPlan();
}

void ServingLogPage::setPlanMissing(const QString &why)
{
    m_missing = why;
    showPlan();
}

void ServingLogPage::showPlan()
{
    const LogPlan &plan = m_planned.plan;
    m_planCard->setTitle(m_plan ? u"%1 with what the log says"_s.arg(m_planTitle)
                                : u"Plan inferred from this log"_s);
    m_settings->setTable(planSettingsTable(plan.settings), unit());
    clear(*m_notes);
    if (!m_missing.isEmpty())
        m_notes->addWidget(wideLabel(m_missing, u"warn"_s));
    if (!plan.notTold.empty()) {
        m_notes->addWidget(wideLabel(u"Not in the log:"_s, u"dim"_s));
        for (const std::string &sentence : plan.notTold)
            m_notes->addWidget(wideLabel(u"•  "_s + foreignText(sentence), u"dim"_s));
    }
    if (!m_planned.comparison.whyNot.empty() && plan.hasModel)
        m_notes->addWidget(wideLabel(
            u"It gives no figures: "_s + foreignText(m_planned.comparison.whyNot), u"warn"_s));
    if (!m_plan)
        m_notes->addWidget(wideLabel(u"Drop a plan here to compare it with this log, or choose "
                                     "Trace, Compare with a plan."_s,
                                     u"dim"_s));
    showButtons();
}

void ServingLogPage::showButtons()
{
    const LogTakeOver &takeOver = m_planned.takeOver;
    const bool takes = m_planned.plan.hasModel && !takeOver.taken.empty() && m_missing.isEmpty();
    m_take->setText(m_plan ? u"Take over into %1"_s.arg(shortened(m_planTitle))
                           : u"Take over into a plan"_s);
    m_take->setEnabled(takes);
    setRole(*m_take, takes ? u"primary"_s : QString());
    if (!m_missing.isEmpty())
        m_take->setToolTip(m_missing);
    else if (!m_planned.plan.hasModel)
        m_take->setToolTip(u"The log names no model of the catalogue: open the plan and choose one "
                           "first."_s);
    else if (!takes)
        m_take->setToolTip(
            foreignText(takeOver.notTaken.empty()
                            ? std::string("The log measured nothing that a plan has a field for.")
                            : takeOver.notTaken.front()));
    else
        m_take->setToolTip(
            m_plan ? u"Puts what the log says and measured into the plan; you can undo this in its "
                     "tab."_s
                   : u"Opens the plan with what the log measured: its cache is that of the "
                     "log."_s);
}

void ServingLogPage::setUnit(ByteUnit unit)
{
    if (this->unit() == unit)
        return;
    DocumentPage::setUnit(unit);
    showFigures();
}

void ServingLogPage::showFigures()
{
    const ServingLog &log = m_document->log;
    m_answer->setText(foreignText(servingLogAnswer(log, unit())));
    const auto verdict = verdictOf(log, unit());
    m_verdict->setVisible(verdict.has_value());
    m_verdict->setText(verdict ? foreignText(verdictText(*verdict, unit())) : QString());
    m_stages->setUnit(unit());
    m_bar->setUnit(unit());
    m_bar->setBars(budgetBars(log, unit()));
    m_figures->setTable(pickedColumns(logFiguresTable(log), {"meaning", "amount"}), unit());
    const LogComparison &comparison = m_planned.comparison;
    m_comparison->setVisible(!comparison.rows.empty() && comparison.whyNot.empty());
    m_comparison->setTitle(m_plan ? u"The log next to %1"_s.arg(m_planTitle)
                                  : u"The log next to its plan"_s);
    m_compared->setTable(logDifferencesTable(comparison), unit());
    clear(*m_findings);
    const std::vector<Finding> found = findingsOf(log, &m_planned.plan.plan, unit());
    for (const Finding &finding : found) {
        m_findings->addWidget(boldLabel(foreignText(finding.title)));
        m_findings->addWidget(
            wideLabel(foreignText(finding.sentence), finding.isBad() ? u"warn"_s : QString()));
    }
    if (found.empty())
        m_findings->addWidget(wideLabel(log.refusals.empty()
                                            ? u"No problems found in this log."_s
                                            : u"The figures of this log show nothing more."_s,
                                        u"dim"_s));
}

void ServingLogPage::openPlan()
{
    Q_EMIT planWanted(m_planned.plan.plan,
                      u"Made of the log. What the log does not tell is at its default."_s);
}

void ServingLogPage::takeOver()
{
    if (m_plan)
        return Q_EMIT editWanted(m_planned.takeOver.plan, u"take over %1"_s.arg(m_title));
    QStringList taken;
    for (const LogPlanSetting &setting : m_planned.takeOver.taken)
        taken << u"%1 %2"_s.arg(foreignText(setting.subject), foreignText(setting.value));
    Q_EMIT planWanted(m_planned.takeOver.plan,
                      u"Made of the log, with what it measured: %1."_s.arg(taken.join(u", "_s)));
}

std::shared_ptr<const ServingLogDocument> ServingLogPage::shown() const
{
    if (!m_plan)
        return m_document;
    auto shown = std::make_shared<ServingLogDocument>(*m_document);
    shown->implied = m_planned;
    return shown;
}

std::vector<NamedPlan> ServingLogPage::plans() const
{
    return m_plan ? std::vector<NamedPlan>{{*m_plan, m_planTitle}} : std::vector<NamedPlan>();
}

Table ServingLogPage::table(qsizetype most) const
{
    Table table =
        tableOf(pickedColumns(logFiguresTable(m_document->log), {"figure", "amount", "meaning"}),
                unit(), most);
    table.title = foreignText(servingLogTitle(m_document->log));
    return table;
}

std::vector<StageItem> ServingLogPage::stageItems()
{
    return servingLogItems(shown(), unit());
}

std::vector<ReportSource> ServingLogPage::reportSources(const QString &file,
                                                        const QDateTime &date) const
{
    return {{file, shown(), 0, date}};
}

QString ServingLogPage::statusText() const
{
    return u"%1 · %2"_s.arg(foreignText(servingLogTitle(m_document->log)),
                            foreignText(servingLogAnswer(m_document->log, unit())));
}

void ServingLogPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_columns->fitTo(width());
}

} // namespace vramscope
