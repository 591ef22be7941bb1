// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/projection/projection_view.h"

#include "core/describe/projection_tables.h"
#include "core/print/project_report.h"
#include "core/projection/traced_step.h"
#include "core/readers/read_trace.h"
#include "ui/charts/line_chart.h"
#include "ui/charts/trade_chart.h"
#include "ui/jobs/job.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/choice_table.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/wrapped_label.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLeastBeside = 960; ///< pixels for chart and table beside each other

constexpr int kWait = 80; ///< milliseconds in which the plan does not change

constexpr int kLeastOneLine = 640; ///< pixels for all controls in one line

enum Page { ScalePage, StrategyPage, InsteadPage };

QLabel *wrappingLabel()
{
    auto *label = new WrappedLabel;
    label->ignoreWidth();
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setProperty("role", u"dim"_s);
    return label;
}

/// Whether both plans compute the same on the same GPU, however they divide it.
bool isSameArithmetic(const Plan &one, const Plan &other)
{
    const auto regimeOf = [](const Plan &plan) {
        // FSDP's mixed precision and autocast compute alike: strategies change one for the other.
        const Settings s = resolve(plan).settings;
        return std::pair(s.computeBytes, s.linear);
    };
    return one.workload == other.workload && one.model == other.model &&
           one.adapters == other.adapters && one.hardware.gpu == other.hardware.gpu &&
           regimeOf(one) == regimeOf(other);
}

/// Reads a trace and calibrates a plan by it.
Result<SpeedCalibration> calibrationOf(const std::filesystem::path &file, const std::string &name,
                                       const Plan &plan, const Progress &progress)
{
    Result<Recording> recording = readRecording(file, progress);
    if (!recording)
        return recording.error();
    const auto *profile = std::get_if<std::shared_ptr<const Profile>>(&*recording);
    if (!profile)
        return Error{ErrorCode::OtherContent, name + " is no profiler trace."};
    return calibrateBy(ProfileStudy(*profile), plan, name);
}

} // namespace

ProjectionView::ProjectionView(QWidget *parent)
    : PlanFollower(parent)
    , m_pages(new QStackedWidget)
    , m_instead(wrappingLabel())
{
    setLayout(column({makeControls(), makeCalibration(), {m_pages, 1}}, 6, {4, 6, 4, 4}));
    m_pages->addWidget(makeScale());
    m_pages->addWidget(makeStrategy());
    m_instead->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_pages->addWidget(m_instead);
    m_wait.setSingleShot(true);
    m_wait.setInterval(kWait);
    connect(&m_wait, &QTimer::timeout, this, &ProjectionView::search);
    ask(Question::Scale);
}

ProjectionView::~ProjectionView() = default;

QWidget *ProjectionView::makeControls()
{
    auto *line = new QWidget;
    line->setMinimumWidth(1);
    m_controls = new QBoxLayout(QBoxLayout::LeftToRight, line);
    m_controls->setContentsMargins(0, 0, 0, 0);
    m_controls->setSpacing(4);
    const auto group = [this] {
        QHBoxLayout *controls = row({}, 4);
        m_controls->addLayout(controls);
        return controls;
    };
    QHBoxLayout *asked = group();
    m_scaleButton = tabButton(u"Over numbers of GPUs"_s);
    m_strategyButton = tabButton(u"Which strategy?"_s);
    auto *questions = new QButtonGroup(this);
    for (QAbstractButton *button : {m_scaleButton, m_strategyButton}) {
        questions->addButton(button);
        asked->addWidget(button);
    }
    asked->addStretch();
    QHBoxLayout *shown = group();
    m_weak = tabButton(u"Weak scaling"_s, u"Each GPU keeps its batch"_s);
    m_strong = tabButton(u"Strong scaling"_s, u"The step keeps its sequences"_s);
    auto *scalings = new QButtonGroup(this);
    for (QAbstractButton *button : {m_weak, m_strong}) {
        scalings->addButton(button);
        shown->addWidget(button);
        connect(button, &QAbstractButton::clicked, this, &ProjectionView::showLines);
    }
    m_weak->setChecked(true);
    m_metric = new QComboBox;
    m_metric->setAccessibleName(u"What the lines show"_s);
    for (int i = 0; i < static_cast<int>(ScaleMetric::Count); ++i)
        m_metric->addItem(metricTitle(static_cast<ScaleMetric>(i)));
    shown->addWidget(m_metric);
    shown->addStretch();
    m_controls->addStretch();
    connect(m_scaleButton, &QAbstractButton::clicked, this, [this] { ask(Question::Scale); });
    connect(m_strategyButton, &QAbstractButton::clicked, this, [this] { ask(Question::Strategy); });
    connect(m_metric, &QComboBox::activated, this, &ProjectionView::showLines);
    return line;
}

QWidget *ProjectionView::makeCalibration()
{
    m_calibrationText = wrappingLabel();
    m_calibrate = new QToolButton;
    m_calibrate->setText(u"Calibrate"_s);
    m_calibrate->setPopupMode(QToolButton::InstantPopup);
    m_calibrate->setToolTip(u"By a run of this plan, so that its own speed stands for the "
                            "catalogue's rates"_s);
    auto *menu = new QMenu(m_calibrate);
    menu->addAction(u"By a profiler trace of one rank…"_s, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, u"Profiler trace"_s);
        if (!path.isEmpty())
            calibrateByTrace(path);
    });
    menu->addAction(u"By the speed of a run…"_s, this, [this] {
        bool accepted = false;
        constexpr double kMost = 1e12;
        const double speed = QInputDialog::getDouble(
            this, u"Speed of a run"_s, u"Tokens a second of this plan, over all its GPUs:"_s,
            10'000, 1, kMost, 0, &accepted);
        if (accepted)
            calibrateBySpeed(speed);
    });
    menu->addAction(u"By the catalogue alone"_s, this, &ProjectionView::forgetCalibration);
    m_calibrate->setMenu(menu);
    return panel(row({{m_calibrationText, 1}, {m_calibrate, 0, Qt::AlignTop}}, kStyleSpacing));
}

QWidget *ProjectionView::makeScale()
{
    m_lines = new LineChart;
    m_lines->setAccessibleName(u"A plan over numbers of GPUs"_s);
    m_scaleTable = new ChoiceTable(u"Numbers of GPUs"_s);
    m_remarks = wrappingLabel();
    m_scaleSplit = splitter(Qt::Horizontal, {m_lines, m_scaleTable},
                            {kLeastBeside, kLeastBeside}); // as wide as each other
    connect(m_lines, &PointChart::pointSelected, this, &ProjectionView::selectPoint);
    connect(m_scaleTable, &ChoiceTable::choiceSelected, this, &ProjectionView::selectRow);
    return panel(column({{m_scaleSplit, 1}, m_remarks}, kStyleSpacing));
}

QWidget *ProjectionView::makeStrategy()
{
    m_trade = new TradeChart;
    m_trade->setAccessibleName(u"Strategies: memory against GPU hours"_s);
    m_strategies = new ChoiceTable(u"Strategies that fit"_s);
    m_reasons = new QTextBrowser;
    m_reasons->setAccessibleName(u"Why the first is first"_s);
    m_reasons->setFrameShape(QFrame::NoFrame);
    m_apply = new QPushButton;
    QSplitter *figures = splitter(Qt::Vertical, {m_trade, m_strategies});
    m_strategySplit =
        splitter(Qt::Horizontal, {m_reasons, figures}, {2 * kLeastBeside, 3 * kLeastBeside});
    QWidget *page =
        panel(column({{m_strategySplit, 1}, {m_apply, 0, Qt::AlignLeft}}, kStyleSpacing));
    connect(m_trade, &PointChart::pointSelected, this, &ProjectionView::selectOption);
    connect(m_strategies, &ChoiceTable::choiceSelected, this, &ProjectionView::selectOption);
    const auto takeIt = [this](std::size_t option) {
        selectOption(option);
        apply();
    };
    connect(m_trade, &PointChart::pointTaken, this, takeIt);
    connect(m_strategies, &ChoiceTable::choiceTaken, this, takeIt);
    connect(m_apply, &QPushButton::clicked, this, &ProjectionView::apply);
    return page;
}

void ProjectionView::takeUnit()
{
    if (m_answer)
        showAnswer();
}

void ProjectionView::ask(Question question)
{
    m_question = question;
    const bool scale = question == Question::Scale;
    m_scaleButton->setChecked(scale);
    m_strategyButton->setChecked(!scale);
    m_weak->setVisible(scale);
    m_strong->setVisible(scale);
    m_metric->setVisible(scale);
    if (m_answer)
        showAnswer();
}

void ProjectionView::setMetric(ScaleMetric metric)
{
    m_metric->setCurrentIndex(static_cast<int>(metric));
    showLines();
}

void ProjectionView::setScaling(Scaling scaling)
{
    (scaling == Scaling::Weak ? m_weak : m_strong)->setChecked(true);
    showLines();
}

Scaling ProjectionView::scaling() const
{
    return m_strong->isChecked() ? Scaling::Strong : Scaling::Weak;
}

void ProjectionView::calibrateByTrace(const QString &path)
{
    m_calibrationText->setText(u"Reading %1…"_s.arg(QFileInfo(path).fileName().toHtmlEscaped()));
    m_reading = std::make_unique<Job>(
        [file = nativePath(path), name = QFileInfo(path).fileName().toStdString(), plan = m_plan](
            const Progress &progress) { return calibrationOf(file, name, plan, progress); },
        [this, of = m_plan](Result<SpeedCalibration> made) {
            takeCalibration(std::move(made), of);
        });
}

void ProjectionView::calibrateBySpeed(double tokensPerSecond)
{
    takeCalibration(vramscope::calibrateBySpeed(m_plan, tokensPerSecond), m_plan);
}

void ProjectionView::forgetCalibration()
{
    m_reading.reset();
    m_calibration.reset();
    m_calibrationError.clear();
    outdate();
}

void ProjectionView::takeCalibration(Result<SpeedCalibration> made, const Plan &of)
{
    m_calibrationError = made ? QString() : toQString(made.error().text());
    if (made) {
        m_calibration = std::move(*made);
        m_calibrated = of;
        takePlan();
    }
    outdate();
}

// How fast one model computes on one GPU says nothing about another.
void ProjectionView::takePlan()
{
    if (!m_calibration || isSameArithmetic(m_calibrated, m_plan))
        return;
    m_calibration.reset();
    m_calibrationError = u"What calibrated this was a run of another model, GPU or precision."_s;
}

QString ProjectionView::calibrationSentence() const
{
    const QString text = toQString(calibrationText(m_calibration ? &*m_calibration : nullptr));
    return m_calibrationError.isEmpty() ? text : m_calibrationError + u' ' + text;
}

bool ProjectionView::isRunning() const
{
    return m_wait.isActive() || (m_job && m_job->isRunning()) ||
           (m_reading && m_reading->isRunning());
}

std::function<Result<ProjectedPlan>(const Progress &)> ProjectionView::work() const
{
    return [plan = m_plan, calibration = m_calibration](const Progress &progress) {
        return projectPlan(plan, usualCounts(plan), calibration, progress);
    };
}

void ProjectionView::compute()
{
    m_calibrationText->setText(calibrationSentence().toHtmlEscaped());
    m_apply->setEnabled(false); // what still stands is of another plan
    m_job.reset();
    m_wait.start();
}

void ProjectionView::search()
{
    m_job = std::make_unique<Job>(
        work(), [this](Result<ProjectedPlan> answer) { take(std::move(answer)); });
}

void ProjectionView::workNow()
{
    if (!m_outdated && !isRunning())
        return;
    m_outdated = false;
    m_wait.stop();
    m_job.reset();
    m_calibrationText->setText(calibrationSentence().toHtmlEscaped());
    take(work()({}));
}

void ProjectionView::take(Result<ProjectedPlan> answer)
{
    m_answer = std::move(answer);
    m_line = 0;
    m_option = 0;
    showAnswer();
    Q_EMIT answered();
}

const ProjectedPlan *ProjectionView::projected() const
{
    return m_answer && m_answer->ok() ? &m_answer->value() : nullptr;
}

void ProjectionView::showAnswer()
{
    if (!m_answer)
        return;
    const ProjectedPlan *found = projected();
    if (!found)
        return showInstead(m_answer->error().detail);
    const auto &points = found->lines.front().weak;
    if (m_question == Question::Scale && std::ranges::none_of(points, &ScalePoint::known))
        showInstead(points.front().whyNot);
    else if (m_question == Question::Strategy && !found->guide)
        showInstead(found->guide.error().detail);
    else if (m_question == Question::Scale) {
        m_pages->setCurrentIndex(ScalePage);
        showLines();
    } else {
        m_pages->setCurrentIndex(StrategyPage);
        showStrategies();
    }
}

void ProjectionView::showInstead(const std::string &why)
{
    m_calibrationText->setText(m_calibrationError.toHtmlEscaped());
    m_instead->setText(toQString(why).toHtmlEscaped());
    m_pages->setCurrentIndex(InsteadPage);
}

void ProjectionView::showLines()
{
    const ProjectedPlan *found = projected();
    if (!found)
        return;
    m_strong->setEnabled(!found->lines.front().strong.empty());
    m_lines->setContent(
        scaleLines(*found, scaling(), static_cast<ScaleMetric>(m_metric->currentIndex()), m_unit));
    const ScaleLine &line = found->lines[std::min(m_line, found->lines.size() - 1)];
    showRows(line);
    m_remarks->setVisible(!m_remarks->text().isEmpty());
}

void ProjectionView::showRows(const ScaleLine &line)
{
    m_scaleTable->setTable(pickedColumns(scalePointsTable(pointsOf(line, scaling()), true),
                                         {"gpus", "verdict", "device", "step", "speed", "speedup",
                                          "efficiency", "communication", "idle", "hours"}),
                           m_unit);
    m_remarks->setText(scaleRemarks(line, scaling()));
}

void ProjectionView::selectPoint(std::size_t point)
{
    const ProjectedPlan *found = projected();
    if (!found)
        return;
    m_lines->setSelected(point);
    const auto [drawn, place] = m_lines->placeOf(point);
    // Lines without a point are not drawn.
    const QString &title = m_lines->content().lines[drawn].title;
    for (std::size_t i = 0; i < found->lines.size(); ++i) {
        if (toQString(found->lines[i].title) != title || i == m_line)
            continue;
        m_line = i;
        showRows(found->lines[i]);
        break;
    }
    m_scaleTable->setSelected(place);
}

void ProjectionView::selectRow(std::size_t row)
{
    const ProjectedPlan *found = projected();
    if (!found)
        return;
    const QString title = toQString(found->lines[m_line].title);
    const std::vector<ChartLine> &drawn = m_lines->content().lines;
    for (std::size_t i = 0; i < drawn.size(); ++i)
        if (drawn[i].title == title)
            m_lines->setSelected(m_lines->pointOf(i, row));
}

void ProjectionView::showStrategies()
{
    const ProjectedPlan *found = projected();
    m_trade->setUnit(m_unit);
    m_trade->setContent(strategyPoints(*found, m_unit));
    m_strategies->setTable(pickedColumns(strategiesTable(found->guide->options),
                                         {"letter", "speed", "device", "verdict", "communication",
                                          "idle", "strategy"}),
                           m_unit);
    m_reasons->setHtml(guideText(*found->guide));
    const bool some = !found->guide->options.empty();
    m_apply->setVisible(some);
    m_strategySplit->widget(1)->setVisible(some);
    if (some)
        selectOption(std::min(m_option.value_or(0), found->guide->options.size() - 1));
}

void ProjectionView::selectOption(std::size_t option)
{
    const ProjectedPlan *found = projected();
    if (!found || !found->guide || option >= found->guide->options.size())
        return;
    m_option = option;
    m_trade->setSelected(option);
    m_strategies->setSelected(option);
    const bool same = found->guide->options[option].plan == m_plan;
    m_apply->setText(same ? u"The plan is so already"_s
                          : u"Apply: %1"_s.arg(toQString(found->guide->options[option].title)));
    m_apply->setEnabled(!same);
}

void ProjectionView::apply()
{
    const ProjectedPlan *found = projected();
    if (!found || !found->guide || !m_option || *m_option >= found->guide->options.size())
        return;
    const StrategyOption option = found->guide->options[*m_option]; // goes with the plan
    if (option.plan != m_plan)
        Q_EMIT planWanted(option.plan, toQString(option.title));
}

void ProjectionView::resizeEvent(QResizeEvent *event)
{
    PlanFollower::resizeEvent(event);
    const Qt::Orientation lies = width() < kLeastBeside ? Qt::Vertical : Qt::Horizontal;
    m_scaleSplit->setOrientation(lies);
    m_controls->setDirection(width() < kLeastOneLine ? QBoxLayout::TopToBottom
                                                     : QBoxLayout::LeftToRight);
    m_strategySplit->setOrientation(lies);
}

} // namespace vramscope
