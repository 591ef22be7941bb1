// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/layouts_view.h"

#include "core/settings/settings.h"
#include "ui/charts/trade_chart.h"
#include "ui/jobs/job.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/support/choice_table.h"
#include "ui/support/text.h"
#include "ui/support/wrapped_label.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
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
    : QWidget(parent)
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

void LayoutsView::showPlan(const Plan &plan, const Estimate &estimate, ByteUnit unit)
{
    m_outdated |= plan != m_plan;
    const bool sameUnit = m_unit == unit;
    m_plan = plan;
    m_estimate = estimate;
    m_unit = unit;
    const bool training = plan.workload != Workload::Inference;
    for (std::size_t i = 0; i < m_questions.size(); ++i)
        m_questions[i]->setText(questionTitle(static_cast<Question>(i), training));
    if (isVisible())
        refresh();
    if (!sameUnit && m_answer)
        showAnswer();
}

void LayoutsView::ask(Question question)
{
    m_question = question;
    m_questions[static_cast<std::size_t>(question)]->setChecked(true);
    m_outdated = true;
    if (isVisible())
        refresh();
}

bool LayoutsView::isRunning() const
{
    return m_job && m_job->isRunning();
}

QString LayoutsView::sentence() const
{
    return m_sentence->text();
}

void LayoutsView::refresh()
{
    if (std::exchange(m_outdated, false))
        start();
}

void LayoutsView::start()
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
    QWidget::resizeEvent(event);
    int wide = 0;
    for (const QAbstractButton *button : m_questions)
        wide += button->sizeHint().width() + m_questionGrid->spacing();
    const int columns = wide <= width() ? QuestionCount : QuestionCount / 2;
    for (int i = 0; i < QuestionCount; ++i)
        m_questionGrid->addWidget(m_questions[static_cast<std::size_t>(i)], i / columns,
                                  i % columns);
    m_both->setOrientation(width() < kLeastChartAndTable ? Qt::Vertical : Qt::Horizontal);
}

void LayoutsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

} // namespace vramscope
