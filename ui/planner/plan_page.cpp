// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_page.h"

#include "core/plan/plan.h"
#include "core/settings/plan_edit.h"
#include "core/settings/settings.h"
#include "core/validation/measured.h"
#include "ui/page/layout.h"
#include "ui/planner/allocator_view.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/ask_box.h"
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/field_text.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/look.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/recommendation_view.h"
#include "ui/planner/scenario_bar.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/sweep_view.h"
#include "ui/planner/ways_list.h"
#include "ui/planner/word_control.h"
#include "ui/projection/projection_view.h"
#include "ui/support/scrolled_page.h"
#include "ui/support/text.h"

#include <QBoxLayout>
#include <QElapsedTimer>
#include <QEvent>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QUndoCommand>
#include <QUndoStack>

#include <algorithm>
#include <functional>
#include <string>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// One edit of a plan in the history. Edits of the same field within one gesture (a drag, a number
/// being typed) become one step.
class EditCommand : public QUndoCommand
{
public:
    using Apply = std::function<void(const Plan &)>;

    EditCommand(Plan before, Plan after, std::string path, int gesture, Apply apply)
        : m_before(std::move(before))
        , m_after(std::move(after))
        , m_path(std::move(path))
        , m_gesture(gesture)
        , m_apply(std::move(apply))
    {
    }

    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }
    [[nodiscard]] int id() const override { return 1; }

    bool mergeWith(const QUndoCommand *other) override
    {
        const auto *next = dynamic_cast<const EditCommand *>(other);
        if (!next || next->m_path != m_path || next->m_gesture != m_gesture)
            return false;
        m_after = next->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    Plan m_before;
    Plan m_after;
    std::string m_path;
    int m_gesture;
    Apply m_apply;
};

constexpr int kFormWidth = 292;
constexpr int kPanelWidth = 320;
constexpr int kLeastForm = 288;
constexpr int kLeastCentre = 425;
constexpr int kLeastPanel = 312;
constexpr int kLeastOfAllThree = kLeastForm + kLeastCentre + kLeastPanel + 2; // with two handles

} // namespace

PlanPage::PlanPage(QWidget *parent)
    : DocumentPage(nullptr, parent) // whose document is made of the plan as it is now
    , m_undo(new QUndoStack(this))
    , m_form(new PlanForm)
    , m_settings(quietButton(u"Settings"_s))
    , m_results(new QSplitter)
    , m_panel(new BreakdownPanel)
{
    auto *splitter = new QSplitter;
    splitter->addWidget(m_form);
    splitter->addWidget(m_results);
    m_results->addWidget(makeCentre());
    m_results->addWidget(m_panel);
    splitter->setStretchFactor(1, 1);
    m_results->setStretchFactor(0, 1);
    for (QSplitter *one : {splitter, m_results}) {
        one->setHandleWidth(1);
        one->setChildrenCollapsible(false);
    }
    splitter->setSizes({kFormWidth, 900 + kPanelWidth});
    m_results->setSizes({900, kPanelWidth});
    m_settings->setCheckable(true);
    m_settings->hide();
    m_form->show();
    m_settings->setToolTip(u"Show or hide the settings of the plan"_s);
    m_form->setMinimumWidth(kLeastForm);
    m_panel->setMinimumWidth(kLeastPanel);
    setMinimumWidth(kLeastForm + kLeastCentre + 1);
    setLayout(row({splitter}));
    wire();
    wireExploring();
    wireScenarios();
}

PlanPage::~PlanPage()
{
    m_undo->blockSignals(true); // clearing it at the end is no edit of a page that is half gone
    m_form->disconnect(this);   // nor is a box of the form that loses the focus
}

QWidget *PlanPage::makeCentre()
{
    m_ask = new AskBox;
    m_answer = new AnswerView;
    m_words = new WordControl(m_answer);
    m_recommendation = new RecommendationView;
    m_cards = new PlanCards;
    auto *centre = new ScrolledPage;
    centre->setLayout(
        column({row({m_settings, {m_ask, 1}}, 8), m_answer, {m_cards, 1}}, 12, {24, 12, 24, 12}));
    QScrollArea *scroll = scrolled(centre, {});
    scroll->setFocusPolicy(Qt::NoFocus); // its parts have it, and it follows them
    scroll->setMinimumWidth(kLeastCentre);
    return scroll;
}

void PlanPage::wire()
{
    connect(m_form, &PlanForm::edited, this, [this](const Field &field, const FieldValue &value) {
        const Plan before = m_plan;
        const Result<void> done = edit(field, value);
        if (FieldRow *row = m_form->row(field.path); row && !done)
            row->showIssue(Issue::Severity::Blocking, refusalText(field, done.error()));
        else if (m_plan == before)
            refresh(); // what was refused is mended
    });
    connect(m_form, &PlanForm::resetWanted, this, &PlanPage::resetField);
    connect(m_form, &PlanForm::resetAllWanted, this,
            [this] { replacePlan(m_scenarios->baselinePlan(), u"reset of all settings"_s); });
    const auto chooseTask = [this](Task task) {
        if (const Result<Plan> plan = withTask(m_plan, task); plan)
            replacePlan(*plan, u"another task"_s);
        else
            refresh(); // the button goes back up
    };
    connect(m_form, &PlanForm::taskChosen, this, chooseTask);
    connect(m_words, &WordControl::taskChosen, this, chooseTask);
    connect(m_words, &WordControl::edited, this,
            [this](const Field &field, const FieldValue &value) {
                (void)edit(field, value); // a value that the control offers is one
                m_words->showPlan(m_plan);
            });
    connect(m_answer, &AnswerView::wordClicked, this,
            [this](const Field &field) { m_words->open(m_plan, field, unit()); });
    connect(m_ask, &AskBox::planWanted, this,
            [this](const Plan &plan) { replacePlan(plan, u"what was said"_s); });
    connect(m_ask, &AskBox::documentWanted, this, &PlanPage::settingsWanted);
    connect(m_ask, &AskBox::settingsWanted, this, &PlanPage::settingsWanted);
    connect(m_form, &PlanForm::gestureEnded, this, [this] { ++m_gesture; });
    connect(m_answer, &AnswerView::fieldClicked, this, [this](const QString &path) {
        if (m_form->isHidden())
            m_settings->setChecked(true);
        m_form->goTo(path.toStdString());
    });
    connect(m_settings, &QToolButton::toggled, this, &PlanPage::arrange);
    connect(m_answer, &AnswerView::trustWanted, this,
            [this] { Q_EMIT trustWanted(toQString(runKind(m_plan))); });
    connect(this, &PlanPage::changed, this, &PlanPage::edited);
    connect(this, &PlanPage::modifiedChanged, this, &PlanPage::edited);
    connect(m_undo, &QUndoStack::indexChanged, this, &PlanPage::edited);
    connect(m_panel, &BreakdownPanel::partSelected, this, &PlanPage::selectPart);
    connect(m_cards, &PlanCards::partClicked, this, [this](std::size_t part) {
        selectPart({part, {}});
    });
    connect(m_cards, &PlanCards::momentClicked, this, [this](int bar) {
        const auto moment = static_cast<std::size_t>(bar);
        if (moment < m_estimate.moments.size())
            selectMoment(moment == m_estimate.peakMoment
                             ? std::nullopt
                             : std::optional(m_estimate.moments[moment].name));
    });
    connect(m_undo, &QUndoStack::cleanChanged, this,
            [this](bool clean) { Q_EMIT modifiedChanged(!clean); });
}

void PlanPage::setPlan(const Plan &plan, const QString &name)
{
    m_undo->clear();
    m_plan = plan;
    m_name = name;
    m_moment.reset();
    m_scenarios->reset(plan); // refreshes all
    selectLargestPart();
}

bool PlanPage::isModified() const
{
    return !m_undo->isClean();
}

void PlanPage::markSaved()
{
    m_undo->setClean();
}

void PlanPage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    m_form->setUnit(unit);
    refresh();
}

Result<void> PlanPage::edit(const Field &field, const FieldValue &value)
{
    const Result<Plan> after = editedPlan(m_plan, field, value);
    if (!after)
        return after.error();
    pushEdit(*after, field);
    return {};
}

void PlanPage::resetField(const Field &field)
{
    ++m_gesture;
    pushEdit(resetPlan(m_plan, m_scenarios->baselinePlan(), field), field);
    ++m_gesture;
}

void PlanPage::pushEdit(const Plan &after, const Field &field)
{
    if (after == m_plan)
        return;
    auto *command = new EditCommand(m_plan, after, std::string(field.path), m_gesture,
                                    [this](const Plan &plan) { applyPlan(plan); });
    command->setText(toQString(editName(field)));
    m_undo->push(command);
}

void PlanPage::replacePlan(const Plan &after, const QString &name)
{
    if (after == m_plan)
        return;
    ++m_gesture; // a step of the history of its own
    auto *command = new EditCommand(m_plan, after, {}, m_gesture,
                                    [this](const Plan &plan) { applyPlan(plan); });
    command->setText(name);
    m_undo->push(command);
    ++m_gesture;
}

void PlanPage::applyPlan(const Plan &plan)
{
    m_plan = plan;
    m_scenarioBar->forgetPinned();
    refresh();
    Q_EMIT changed();
}

void PlanPage::refresh()
{
    QElapsedTimer since;
    since.start();
    m_estimate = vramscope::estimate(m_plan);
    m_estimateMicroseconds = since.nsecsElapsed() / 1000;
    m_form->showPlan(m_plan, m_estimate, m_scenarios->baselinePlan(),
                     m_scenarios->baselineEstimate(), m_scenarios->baselineName());
    m_ask->setOpenPlan(m_plan);
    m_answer->setPlan(m_plan);
    m_answer->showEstimate(m_estimate, unit());
    m_panel->showEstimate(m_estimate, shownMoment(), unit());
    refreshCharts();
    refreshExploring();
}

void PlanPage::showSelectedMoment()
{
    m_cards->setSelectedMoment(m_estimate.computed ? std::optional(static_cast<int>(shownMoment()))
                                                   : std::nullopt);
}

void PlanPage::selectLargestPart()
{
    const PartBytes bytes = partBytes(m_estimate, m_estimate.peakMoment);
    const auto largest = std::max_element(bytes.begin(), bytes.end());
    if (*largest > 0)
        selectPart({static_cast<std::size_t>(largest - bytes.begin()), {}});
}

std::size_t PlanPage::shownMoment() const
{
    for (std::size_t moment = 0; m_moment && moment < m_estimate.moments.size(); ++moment) {
        if (m_estimate.moments[moment].name == *m_moment)
            return moment;
    }
    return m_estimate.peakMoment;
}

void PlanPage::selectPart(const PartKey &key)
{
    m_panel->selectPart(key);
    m_cards->setSelectedPart(key.part);
    m_compare->setSelectedPart(key.part);
}

void PlanPage::selectMoment(std::optional<std::string> name)
{
    m_moment = std::move(name);
    m_panel->showEstimate(m_estimate, shownMoment(), unit());
    showSelectedMoment();
}

void PlanPage::changeEvent(QEvent *event)
{
    DocumentPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_answer)
        refresh();
}

void PlanPage::resizeEvent(QResizeEvent *event)
{
    DocumentPage::resizeEvent(event);
    arrange();
}

void PlanPage::arrange()
{
    const bool folds = width() < kLeastOfAllThree;
    const bool isShown = !folds || m_settings->isChecked();
    if (m_settings->isHidden() == folds)
        m_settings->setVisible(folds);
    if (m_form->isHidden() == isShown)
        m_form->setVisible(isShown);
    m_settings->setShortcut(isShown ? QKeySequence() : QKeySequence(Qt::CTRL | Qt::Key_F));
    const bool beside = width() >= (isShown ? kLeastOfAllThree : kLeastCentre + kLeastPanel + 1);
    const Qt::Orientation wanted = beside ? Qt::Horizontal : Qt::Vertical;
    if (m_results->orientation() == wanted)
        return;
    m_results->setOrientation(wanted);
    m_results->setSizes(beside ? QList<int>{900, kPanelWidth} : QList<int>{300, 200});
}

void PlanPage::wireExploring()
{
    m_ways = new WaysList;
    m_panel->addSection(panel(column({m_recommendation, m_ways, Gap{8}}, 6)));
    connect(m_ways, &WaysList::wayChosen, this, [this](const WayToFit &way) {
        replacePlan(withFields(m_plan, way.fields), toQString(way.title));
    });
    connect(m_recommendation, &RecommendationView::optionChosen, this,
            [this](const Combination &option) {
                replacePlan(withFields(m_plan, option.fields), toQString(combinedTitle(option)));
            });
    m_sweep = new SweepView;
    m_cards->lower()->addPage(u"Sweep"_s, m_sweep);
    connect(m_sweep, &SweepView::valueChosen, this,
            [this](const Field &field, const FieldValue &value) {
                ++m_gesture;              // a step of its own
                (void)edit(field, value); // what cannot be put there has a column that says so
                ++m_gesture;
            });
    m_layouts = new LayoutsView;
    m_cards->lower()->addPage(u"Layouts"_s, m_layouts);
    connect(m_layouts, &LayoutsView::planWanted, this, &PlanPage::replacePlan);
    m_projection = new ProjectionView;
    m_cards->lower()->addPage(u"Scale"_s, m_projection);
    connect(m_projection, &ProjectionView::planWanted, this, &PlanPage::replacePlan);
    m_allocator = new AllocatorView;
    m_cards->lower()->addPage(u"Allocator"_s, m_allocator);
}

void PlanPage::refreshExploring()
{
    m_panel->setSectionFirst(verdictOf(m_estimate).value_or(Verdict::Fits) != Verdict::Fits);
    m_recommendation->showPlan(m_plan, m_estimate, unit());
    m_ways->showPlan(m_plan, m_estimate, unit());
    m_sweep->showPlan(m_plan, m_estimate, unit());
    m_layouts->showPlan(m_plan, m_estimate, unit());
    m_projection->showPlan(m_plan, m_estimate, unit());
    m_allocator->showPlan(m_plan, m_estimate, unit());
}

void PlanPage::workNow()
{
    m_recommendation->workNow();
    if (m_cards->lower()->currentPage() == m_allocator)
        m_allocator->workNow();
    if (m_cards->lower()->currentPage() == m_projection)
        m_projection->workNow();
}

} // namespace vramscope
