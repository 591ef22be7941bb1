// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_details.h"

#include "core/analysis/costs/frame_text.h"
#include "core/base/durations.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/page/styled.h"
#include "ui/ranks/rank_curve.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/signed_text.h"
#include "ui/support/text.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostSiteRows = 40;
constexpr std::size_t kMostStepRows = 200;

enum Column { What, Size, Share, Difference };

/// What a rank and the typical one hold of something; none where it is not known.
struct Held
{
    QString name;
    std::optional<Bytes> bytes;
    std::optional<Bytes> typical;

    [[nodiscard]] std::optional<Bytes> difference() const
    {
        if (!bytes || !typical)
            return std::nullopt;
        return wrappingDifference(*bytes, *typical);
    }
    [[nodiscard]] Bytes apart() const
    {
        const Bytes by = difference().value_or(0);
        return by < 0 ? wrappingDifference(0, by) : by;
    }
};

QString shareText(Bytes part, Bytes whole)
{
    if (whole <= 0)
        return {};
    const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return share > 0 && share < 0.1 ? u"< 0.1 %"_s : u"%1 %"_s.arg(share, 0, 'f', 1);
}

FactRow rowOf(const Held &held, Bytes whole, bool isTypical, ByteUnit unit)
{
    FactRow row{{{held.name, held.name}, {}, {}, {}}, {}};
    if (held.bytes) {
        row.cells[Size] = {bytesText(*held.bytes, unit), exactBytesText(*held.bytes, unit),
                           *held.bytes};
        row.cells[Share] = {shareText(*held.bytes, whole), {}};
    }
    if (const auto difference = held.difference(); difference && !isTypical)
        row.cells[Difference] = {signedBytesText(*difference, unit),
                                 signedExactBytesText(*difference, unit), *difference};
    return row;
}

/// What differs most first; nothing of it is said of the typical rank, which differs from itself in
/// nothing.
std::vector<FactRow> rowsOf(std::vector<Held> held, Bytes whole, bool isTypical, ByteUnit unit)
{
    std::ranges::stable_sort(held, std::ranges::greater(),
                             [](const Held &one) { return one.bytes.value_or(0); });
    std::ranges::stable_sort(held, std::ranges::greater(), &Held::apart);
    std::vector<FactRow> rows;
    rows.reserve(held.size() + 1);
    for (const Held &one : held)
        rows.push_back(rowOf(one, whole, isTypical, unit));
    return rows;
}

enum Part { Sites, Curve, Kinds, StepsPart };

QScrollArea *scrolledTable(FactTable *table)
{
    return scrolled(panel(column({table, EmptyRoom()}, kStyleSpacing, {16, 2, 16, 8}), u"side"_s),
                    u"Details of the selected rank"_s);
}

} // namespace

std::vector<FactRow> kindRows(const RunStudy &study, std::size_t rank, ByteUnit unit)
{
    const std::size_t typical = study.typicalOf(rank);
    const auto bytesOf = [](const RankSummary &of, MemoryCategory category) {
        const auto share =
            std::ranges::find(of.peak.categories, category, &SummaryPeak::Share::category);
        return share == of.peak.categories.end() ? Bytes(0) : share->tally.bytes;
    };
    std::vector<Held> held;
    for (std::size_t at = 0; at < kMemoryCategoryCount; ++at) {
        const auto category = static_cast<MemoryCategory>(at);
        const Held one{toQString(memoryCategoryName(category)), bytesOf(study.rank(rank), category),
                       bytesOf(study.rank(typical), category)};
        if (*one.bytes > 0 || *one.typical > 0)
            held.push_back(one);
    }
    const Bytes whole = study.rank(rank).figures.peakActive;
    std::vector<FactRow> rows = rowsOf(held, whole, rank == typical, unit);
    FactRow sum = rowOf({u"in use at the peak"_s, whole, study.rank(typical).figures.peakActive},
                        whole, rank == typical, unit);
    sum.strong = true;
    rows.push_back(sum);
    return rows;
}

std::vector<FactRow> siteRows(const RunStudy &study, std::size_t rank, ByteUnit unit)
{
    const std::size_t typical = study.typicalOf(rank);
    const auto compared = contrast(study.run, typical, rank);
    if (!compared)
        return {};
    FrameOrigins origins(*study.run.stacks);
    std::vector<Held> held;
    for (const ComparedSite &site : compared->comparison.sites) {
        const StackId stack = site.countB > 0 ? site.stackB : site.stackA;
        held.push_back({toQString(shortStackText(*study.run.stacks, stack, origins)), site.bytesB,
                        site.bytesA});
    }
    std::vector<FactRow> rows =
        rowsOf(held, study.rank(rank).figures.peakActive, rank == typical, unit);
    rows.resize(std::min(rows.size(), kMostSiteRows));
    return rows;
}

std::vector<FactRow> stepRows(const RunStudy &study, std::size_t rank, ByteUnit unit)
{
    const std::size_t typical = study.typicalOf(rank);
    const SummarySteps &steps = study.rank(rank).steps;
    const SummarySteps &others = study.rank(typical).steps;
    std::vector<FactRow> rows;
    for (const SummaryStep &step : steps.rows) {
        if (rows.size() == kMostStepRows)
            break;
        const auto other = std::ranges::find(others.rows, step.number, &SummaryStep::number);
        const bool isKnown = other != others.rows.end() && steps.perRow == others.perRow;
        QString name = countText(step.number);
        if (steps.perRow > 1)
            name = u"%1 to %2"_s.arg(name, countText(wrappingSum(step.number, steps.perRow - 1)));
        FactRow row{{{step.complete ? name : name + u" (cut)"_s, {}},
                     {bytesText(step.peakActive, unit), exactBytesText(step.peakActive, unit),
                      step.peakActive},
                     {},
                     {}},
                    {}};
        if (isKnown && rank != typical) {
            const Bytes apart = wrappingDifference(step.peakActive, other->peakActive);
            row.cells[2] = {signedBytesText(apart, unit), signedExactBytesText(apart, unit), apart};
        }
        if (step.survivors)
            row.cells[3] = {bytesText(step.survivors->bytes, unit),
                            exactBytesText(step.survivors->bytes, unit), step.survivors->bytes};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<FactRow> timeStepRows(const RunStudy &study, std::size_t rank)
{
    std::vector<FactRow> rows;
    const auto cell = [](std::int64_t time) {
        return FactCell{toQString(formatNanoseconds(time)), {}, time};
    };
    for (const SummaryProfileStep &step : study.rank(rank).profile->steps) {
        if (rows.size() == kMostStepRows)
            break;
        FactRow row{{{countText(step.number), {}}, cell(step.time), {}, {}}, {}};
        if (step.work) {
            row.cells[2] = cell(step.work->exposedCommunication);
            row.cells[3] = cell(step.work->idle);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

RankDetails::RankDetails(RunStudyPointer study, QWidget *parent)
    : QWidget(parent)
    , m_study(std::move(study))
    , m_title(new QLabel)
    , m_answer(textLabel())
    , m_whyNot(textLabel({}, u"dim"_s))
    , m_compare(new QPushButton)
    , m_open(new QPushButton)
    , m_tabs(viewTabs(u"What is shown of the rank"_s))
    , m_stack(new QStackedWidget)
    , m_note(textLabel({}, u"dim"_s))
    , m_curve(new RankCurve(m_study))
    , m_sites(new FactTable(u"The peak by place"_s, {QString(), QString(), QString(), QString()},
                            {What}))
    , m_kinds(new FactTable(u"The peak by category"_s, {QString(), QString(), QString(), QString()},
                            {What}))
    , m_steps(new FactTable(u"Steps"_s, {QString(), QString(), QString(), QString()}, {What}))
{
    setStyled(*this, u"side-below"_s);
    setLayout(column({makeHead(), {makeParts(), 1}}));
    connect(m_compare, &QPushButton::clicked, this, [this] { Q_EMIT comparisonWanted(m_rank); });
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openWanted(m_rank); });
    refresh();
}

QWidget *RankDetails::makeHead()
{
    m_title->setProperty("role", u"heading"_s);
    m_title->setTextFormat(Qt::PlainText);
    m_answer->setObjectName(u"rankAnswer"_s);
    m_whyNot->setObjectName(u"whyNotCompared"_s);
    m_compare->setObjectName(u"compareRank"_s);
    m_open->setObjectName(u"openRank"_s);
    QHBoxLayout *top = row({m_title, EmptyRoom(), m_compare, m_open}, 8);
    return panel(column({top, m_answer, m_whyNot}, 4, {16, 8, 16, 4}));
}

QWidget *RankDetails::makeParts()
{
    for (const QString &title : {u"Places"_s, u"Curve"_s, u"Categories"_s, u"Steps"_s})
        m_tabs->addTab(title);
    m_stack->addWidget(scrolledTable(m_sites));
    m_stack->addWidget(m_curve);
    m_stack->addWidget(scrolledTable(m_kinds));
    m_stack->addWidget(scrolledTable(m_steps));
    QVBoxLayout *top = column({{m_tabs, 0, Qt::AlignLeft}, m_note}, kStyleSpacing, {16, 0, 16, 0});
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int part) {
        m_stack->setCurrentIndex(part);
        refreshTables();
    });
    return panel(column({top, {m_stack, 1}}, 2));
}

void RankDetails::takeCurves(RunStudyPointer study)
{
    m_study = std::move(study);
    m_curve->takeCurves(m_study);
}

void RankDetails::takeUnit()
{
    m_curve->setUnit(m_unit);
    refresh();
}

void RankDetails::setRank(std::size_t rank)
{
    m_rank = rank;
    m_curve->setRank(rank);
    refresh();
}

void RankDetails::refresh()
{
    const std::size_t typical = m_study->typicalOf(m_rank);
    const QString why = whyNotCompared(*m_study, m_rank);
    m_title->setText(rankTitleText(*m_study, m_rank));
    m_answer->setText(rankAnswer(*m_study, m_rank, m_unit));
    m_whyNot->setText(why);
    m_whyNot->setVisible(!why.isEmpty());
    m_compare->setVisible(why.isEmpty());
    m_compare->setText(u"Compare with rank %1"_s.arg(m_study->number(typical)));
    const bool hasMemory = m_study->rank(m_rank).hasMemory;
    m_compare->setToolTip(
        (hasMemory ? u"Opens both snapshots: where rank %1 holds other memory than rank %2, the "
                     "typical one of its group"_s
                   : u"Opens both profiler traces: where the time of rank %1 differs from that of "
                     "rank %2, whose span is the median"_s)
            .arg(m_study->number(m_rank))
            .arg(m_study->number(typical)));
    m_tabs->setVisible(hasMemory);
    if (!hasMemory) // there is nothing else
        m_tabs->setCurrentIndex(StepsPart);
    m_open->setText(u"Open rank %1"_s.arg(m_study->number(m_rank)));
    refreshTables();
}

// Only what is in front is worked out: comparing two ranks takes a moment.
void RankDetails::refreshTables()
{
    const std::size_t typical = m_study->typicalOf(m_rank);
    const bool isTypical = typical == m_rank;
    const RankSummary &rank = m_study->rank(m_rank);
    const QString own = u"Rank %1"_s.arg(m_study->number(m_rank));
    const QString against =
        isTypical ? QString() : u"Against rank %1"_s.arg(m_study->number(typical));
    QString note;
    switch (m_tabs->currentIndex()) {
    case Sites: {
        const std::vector<FactRow> rows = siteRows(*m_study, m_rank, m_unit);
        m_sites->setHorizontalHeaderLabels({QString(), own, u"Share"_s, against, QString()});
        m_sites->setRows(rows);
        note =
            rows.empty()
                ? u"What it held at its peak, or what rank %1 did, is not in this file."_s.arg(
                      m_study->number(typical))
            : isTypical
                ? u"Where most of its peak was allocated."_s
                : u"Where its peak was allocated, what differs most first. Rank %1 is the typical "
                  "one of its group."_s.arg(m_study->number(typical));
        break;
    }
    case Kinds:
        m_kinds->setHorizontalHeaderLabels({QString(), own, u"Share"_s, against, QString()});
        m_kinds->setRows(kindRows(*m_study, m_rank, m_unit));
        note = rank.peak.areCategoriesSure
                   ? u"The categories are judged by stacks and lifetimes."_s
                   : u"The categories are judged by stacks and lifetimes; of this rank they are "
                     "unsure."_s;
        break;
    case StepsPart:
        if (!rank.hasMemory) {
            m_steps->setHorizontalHeaderLabels(
                {u"Step"_s, u"Time"_s, u"Exposed comm."_s, u"Idle"_s, QString()});
            m_steps->setRows(timeStepRows(*m_study, m_rank));
            note = foreignText(rank.profile->stepsFrom);
            break;
        }
        m_steps->setHorizontalHeaderLabels(
            {u"Step"_s, u"Peak"_s, against, u"Left behind"_s, QString()});
        m_steps->setRows(stepRows(*m_study, m_rank, m_unit));
        note = foreignText(rank.steps.how);
        if (rank.steps.rows.size() > kMostStepRows)
            note += u" The first %1 of %2."_s.arg(kMostStepRows)
                        .arg(countedText(std::ssize(rank.steps.rows), "row"));
        break;
    default:
        break;
    }
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

} // namespace vramscope
