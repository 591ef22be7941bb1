// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/layouts_view.h"

#include "core/describe/projection_tables.h"
#include "core/settings/settings.h"
#include "ui/charts/bar_geometry.h"
#include "ui/charts/trade_chart.h"
#include "ui/jobs/job.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/planner/field_text.h"
#include "ui/planner/look.h"
#include "ui/support/choice_table.h"
#include "ui/support/text.h"
#include "ui/support/wrapped_label.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostLayouts = 200;
constexpr int kLeastChartAndTable = 560; ///< pixels for chart and table beside each other
constexpr int kPatience = 150;           ///< milliseconds before a search shows how far it is

using Paths = std::vector<std::string_view>;

/// What the solver varies for a question.
Paths pathsOf(LayoutsView::Question question, const Settings &settings)
{
    const bool training = settings.workload == Workload::Training;
    const bool windowed = fieldAt("inference.max_model_len").applies(settings);
    switch (question) {
    case LayoutsView::Batch:
        return {training ? FieldPath("batch.micro_batch")
                         : FieldPath("inference.concurrent_sequences")};
    case LayoutsView::Length:
        return {training   ? FieldPath("batch.sequence_length")
                : windowed ? FieldPath("inference.max_model_len")
                           : FieldPath("inference.mean_sequence_length")};
    case LayoutsView::Gpus:
        return {FieldPath("hardware.gpus")};
    default:
        return training ? Paths{"parallel", FieldPath("activations.checkpointing")}
                        : Paths{"parallel"};
    }
}

QString questionTitle(LayoutsView::Question question, bool training)
{
    switch (question) {
    case LayoutsView::Batch:
        return training ? u"Largest micro-batch"_s : u"Most sequences at once"_s;
    case LayoutsView::Length:
        return u"Longest sequence"_s;
    case LayoutsView::Gpus:
        return u"Fewest GPUs"_s;
    default:
        return u"Best layouts"_s;
    }
}

} // namespace

LayoutsView::LayoutsView(QWidget *parent)
    : PlanFollower(parent)
    , m_sentence(new WrappedLabel)
    , m_work(new QWidget)
    , m_progress(new QProgressBar)
    , m_slow(new QTimer(this))
    , m_apply(new QPushButton)
{
    m_found = makeLayouts();
    m_sentence->setTextFormat(Qt::RichText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *stop = new QPushButton(u"Cancel"_s);
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(u"Progress of the search"_s);
    m_work->setLayout(row({{m_progress, 1}, stop}, kStyleSpacing));
    m_work->hide();
    setLayout(column({makeQuestions(),
                      m_sentence,
                      m_work,
                      {m_found, 1},
                      {m_apply, 0, Qt::AlignLeft},
                      EmptyRoom{0}},
                     8, {4, 6, 4, 4}));
    m_apply->hide();
    m_found->hide();
    m_slow->setSingleShot(true);
    m_slow->setInterval(kPatience);
    connect(m_slow, &QTimer::timeout, m_work, &QWidget::show);
    connect(stop, &QPushButton::clicked, this, &LayoutsView::cancel);
    connect(m_apply, &QPushButton::clicked, this, &LayoutsView::apply);
}

LayoutsView::~LayoutsView() = default;

QWidget *LayoutsView::makeQuestions()
{
    auto *line = new QWidget;
    line->setMinimumWidth(1); // two lines of buttons where one is too wide
    auto *layout = new QGridLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_questionGrid = layout;
    auto *group = new QButtonGroup(this);
    for (int i = 0; i < QuestionCount; ++i) {
        auto *button = tabButton(questionTitle(static_cast<Question>(i), true));
        button->setChecked(i == m_question);
        group->addButton(button, i);
        layout->addWidget(button, 0, i);
        m_questions[static_cast<std::size_t>(i)] = button;
    }
    layout->setColumnStretch(QuestionCount, 1);
    connect(group, &QButtonGroup::idClicked, this,
            [this](int id) { ask(static_cast<Question>(id)); });
    return line;
}

QWidget *LayoutsView::makeLayouts()
{
    m_chart = new TradeChart;
    m_chart->setAccessibleName(u"Layouts: memory against what they cost"_s);
    m_table = new ChoiceTable(u"Layouts that fit"_s);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    m_lost = tabButton(u"By lost share"_s);
    QWidget *left = panel(column({{m_lost, 0, Qt::AlignLeft}, {m_chart, 1}}, kStyleSpacing));
    m_both = splitter(Qt::Horizontal, {left, m_table});
    m_lost->setToolTip(u"Memory against the share of the step that goes to recomputation and the "
                       "pipeline's bubble, in place of what is sent"_s);
    connect(m_lost, &QAbstractButton::toggled, this, &LayoutsView::showCosts);
    connect(m_chart, &TradeChart::pointSelected, this, &LayoutsView::selectLayout);
    connect(m_table, &ChoiceTable::choiceSelected, this, &LayoutsView::selectLayout);
    const auto takeIt = [this](std::size_t taken) {
        selectLayout(taken);
        apply();
    };
    connect(m_chart, &TradeChart::pointTaken, this, takeIt);
    connect(m_table, &ChoiceTable::choiceTaken, this, takeIt);
    return m_both;
}

void LayoutsView::takePlan()
{
    const bool training = m_plan.workload != Workload::Inference;
    for (std::size_t i = 0; i < m_questions.size(); ++i)
        m_questions[i]->setText(questionTitle(static_cast<Question>(i), training));
}

void LayoutsView::takeUnit()
{
    if (m_answer)
        showAnswer();
}

void LayoutsView::ask(Question question)
{
    m_question = question;
    m_questions[static_cast<std::size_t>(question)]->setChecked(true);
    outdate();
}

bool LayoutsView::isRunning() const
{
    return m_job && m_job->isRunning();
}

QString LayoutsView::sentence() const
{
    return m_sentence->text();
}

void LayoutsView::compute()
{
    m_answer.reset();
    m_offer.reset();
    m_apply->setEnabled(false); // the answer that still stands is of another plan
    m_progress->setValue(0);
    m_slow->start();
    m_job = std::make_unique<Job>(work(), [this](Result<Fit> answer) { take(std::move(answer)); });
    connect(m_job.get(), &Job::progressed, m_progress,
            [this](double share) { m_progress->setValue(static_cast<int>(1000 * share)); });
}

void LayoutsView::workNow()
{
    if (!m_outdated && !isRunning())
        return;
    m_outdated = false;
    m_job.reset();
    take(work()({}));
}

std::function<Result<Fit>(const Progress &)> LayoutsView::work() const
{
    return [plan = m_plan, paths = pathsOf(m_question, *m_estimate.settings)](
               const Progress &progress) { return fit(plan, paths, kMostLayouts, progress); };
}

void LayoutsView::cancel()
{
    if (!isRunning())
        return;
    m_job->cancel();
    take(Error{ErrorCode::Cancelled, "The search was stopped. Choose a question to start again."});
}

void LayoutsView::take(Result<Fit> answer)
{
    m_answer = std::move(answer);
    showAnswer();
    Q_EMIT answered();
}

void LayoutsView::resizeEvent(QResizeEvent *event)
{
    PlanFollower::resizeEvent(event);
    int wide = 0;
    for (const QAbstractButton *button : m_questions)
        wide += button->sizeHint().width() + m_questionGrid->spacing();
    const int columns = wide <= width() ? QuestionCount : QuestionCount / 2;
    for (int i = 0; i < QuestionCount; ++i)
        m_questionGrid->addWidget(m_questions[static_cast<std::size_t>(i)], i / columns,
                                  i % columns);
    m_both->setOrientation(width() < kLeastChartAndTable ? Qt::Vertical : Qt::Horizontal);
}

const Layouts *LayoutsView::layouts() const
{
    return m_answer && m_answer->ok() ? std::get_if<Layouts>(&m_answer->value().found) : nullptr;
}

void LayoutsView::showAnswer()
{
    m_slow->stop();
    m_work->hide();
    const bool ok = m_answer->ok();
    const bool homeless = m_estimate.computed && !m_estimate.capacity;
    m_sentence->setText(ok         ? fitSentence(m_answer->value(), m_unit)
                        : homeless ? unknownCapacityText(*m_estimate.settings).toHtmlEscaped()
                                   : toQString(m_answer->error().detail).toHtmlEscaped());
    offer(ok ? foundPlan(m_plan, m_answer->value()) : std::nullopt);
    m_found->setVisible(!shown().empty());
    if (!shown().empty())
        showLayouts(shown());
}

std::span<const Layout> LayoutsView::shown() const
{
    const Layouts *found = layouts();
    if (!found)
        return {};
    return found->best.empty() ? found->nearest : found->best;
}

void LayoutsView::showLayouts(std::span<const Layout> found)
{
    const auto fieldsOf = [unit = m_unit](const std::vector<FieldSetting> &fields) {
        return settingsText(fields, unit).toStdString();
    };
    m_table->setTable(layoutsTable(found, {fieldsOf}), m_unit);
    const bool loses = std::ranges::any_of(
        found, [](const Layout &layout) { return layout.recomputeShare + layout.bubbleShare > 0; });
    m_lost->setVisible(loses);
    showCosts();
    selectLayout(0);
}

void LayoutsView::showCosts()
{
    const std::span<const Layout> found = shown();
    const bool lost = m_lost->isVisibleTo(this) && m_lost->isChecked();
    TradePoints content;
    content.capacity = m_estimate.capacity;
    content.costTitle = lost ? u"lost to recomputation and bubble, in %"_s
                             : u"sent a step, in %1"_s.arg(QLatin1StringView(gigaUnit(m_unit)));
    content.costUnit = lost ? 0.01 : gigaBytes(m_unit);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Layout &layout = found[i];
        content.points.push_back(
            {lost ? layout.recomputeShare + layout.bubbleShare
                  : static_cast<double>(layout.communicationBytes),
             layout.standing.device, choiceLetter(i),
             u"<b>%1</b><br>on the device %2<br>sent a step %3<br>%4"_s.arg(
                 choiceLetter(i), exactBytesText(layout.standing.device, m_unit),
                 exactBytesText(layout.communicationBytes, m_unit),
                 settingsText(layout.fields, m_unit).toHtmlEscaped()),
             layout.standing.verdict});
    }
    m_chart->setUnit(m_unit);
    m_chart->setContent(content);
}

void LayoutsView::selectLayout(std::size_t layout)
{
    if (layout >= shown().size())
        return;
    m_chart->setSelected(layout);
    m_table->setSelected(layout);
    const std::vector<FieldSetting> &fields = shown()[layout].fields;
    m_sentence->setText(
        fitSentence(m_answer->value(), m_unit) +
        u"<br>%1: %2"_s.arg(choiceLetter(layout), settingsText(fields, m_unit).toHtmlEscaped()));
    offer(FoundPlan{u"Layout %1"_s.arg(choiceLetter(layout)), withFields(m_plan, fields)});
}

void LayoutsView::offer(std::optional<FoundPlan> found)
{
    m_offer = std::move(found);
    m_apply->setVisible(m_offer.has_value());
    if (!m_offer)
        return;
    const bool same = m_offer->plan == m_plan;
    m_apply->setText(same ? u"The plan is so already"_s : u"Apply: %1"_s.arg(m_offer->title));
    m_apply->setEnabled(!same);
}

void LayoutsView::apply()
{
    if (!m_offer || m_offer->plan == m_plan)
        return;
    const FoundPlan found = *m_offer; // the offer goes with the plan
    Q_EMIT planWanted(found.plan, found.title);
}

} // namespace vramscope
