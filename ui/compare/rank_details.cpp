// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rank_details.h"

#include "ui/compare/rank_curve.h"
#include "ui/compare/rank_text.h"
#include "ui/compare/sites_model.h"
#include "ui/support/text.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostSiteRows = 12;
constexpr int kCurveWidth = 460; // beside that of the tables: in what proportion they share a page
constexpr int kTablesWidth = 540;

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
        row.cells[Difference] = {changeText(*difference, unit), exactChangeText(*difference, unit),
                                 *difference};
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

/// Of a place that is not among those kept of a rank: nothing, where all are kept.
std::optional<Bytes> bytesAt(const RankPeak &peak, const std::string &name)
{
    const auto site = std::ranges::find(peak.sites, name, &RankSite::name);
    if (site != peak.sites.end())
        return site->bytes;
    return peak.areSitesAll ? std::optional(Bytes(0)) : std::nullopt;
}

QLabel *sectionLabel()
{
    auto *label = new QLabel;
    label->setProperty("role", u"section"_s);
    return label;
}

} // namespace

std::vector<FactRow> kindRows(const RankFolder &folder, std::size_t rank, ByteUnit unit)
{
    const Rank &shown = folder.ranks[rank];
    const Rank &typical = folder.ranks[folder.active.typical];
    const auto bytesOf = [](const Rank &of, MemoryCategory category) {
        const auto kind = std::ranges::find(of.peak.kinds, category, &LiveKind::category);
        return kind == of.peak.kinds.end() ? Bytes(0) : kind->bytes;
    };
    std::vector<Held> held;
    for (std::size_t at = 0; at < kMemoryCategoryCount; ++at) {
        const auto category = static_cast<MemoryCategory>(at);
        const Held one{toQString(memoryCategoryName(category)), bytesOf(shown, category),
                       bytesOf(typical, category)};
        if (*one.bytes > 0 || *one.typical > 0)
            held.push_back(one);
    }
    const Bytes whole = shown.summary.peakActive;
    const bool isTypical = rank == folder.active.typical;
    std::vector<FactRow> rows = rowsOf(held, whole, isTypical, unit);
    FactRow sum =
        rowOf({u"in use at the peak"_s, whole, typical.summary.peakActive}, whole, isTypical, unit);
    sum.strong = true;
    rows.push_back(sum);
    return rows;
}

std::vector<FactRow> siteRows(const RankFolder &folder, std::size_t rank, ByteUnit unit)
{
    const RankPeak &shown = folder.ranks[rank].peak;
    const RankPeak &typical = folder.ranks[folder.active.typical].peak;
    std::vector<Held> held;
    for (const RankSite &site : shown.sites)
        held.push_back({toQString(site.name), site.bytes, bytesAt(typical, site.name)});
    for (const RankSite &site : typical.sites) {
        if (std::ranges::find(shown.sites, site.name, &RankSite::name) == shown.sites.end())
            held.push_back({toQString(site.name), bytesAt(shown, site.name), site.bytes});
    }
    std::vector<FactRow> rows =
        rowsOf(held, folder.ranks[rank].summary.peakActive, rank == folder.active.typical, unit);
    rows.resize(std::min(rows.size(), kMostSiteRows));
    return rows;
}

RankDetails::RankDetails(std::shared_ptr<const RankFolder> folder, QWidget *parent)
    : QWidget(parent)
    , m_folder(std::move(folder))
    , m_title(new QLabel)
    , m_answer(new QLabel)
    , m_whyNot(new QLabel)
    , m_compare(new QPushButton)
    , m_open(new QPushButton)
    , m_curve(new RankCurve(m_folder))
    , m_kindsTitle(sectionLabel())
    , m_kinds(new FactTable(u"The peak by category"_s, {QString(), QString(), QString(), QString()},
                            {What}))
    , m_sitesTitle(sectionLabel())
    , m_sites(new FactTable(u"The peak by place"_s, {QString(), QString(), QString(), QString()},
                            {What}))
{
    setProperty("role", u"side-below"_s);
    setAttribute(Qt::WA_StyledBackground);
    auto *parts = new QSplitter(Qt::Horizontal);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_curve);
    parts->addWidget(makeTables());
    parts->setStretchFactor(0, 1);
    parts->setStretchFactor(1, 1);
    parts->setSizes({kCurveWidth, kTablesWidth});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    layout->addWidget(parts, 1);
    connect(m_compare, &QPushButton::clicked, this, [this] { Q_EMIT comparisonWanted(m_rank); });
    connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openWanted(m_rank); });
    refresh();
}

QWidget *RankDetails::makeHead()
{
    m_title->setProperty("role", u"heading"_s);
    for (QLabel *label : {m_title, m_answer, m_whyNot})
        label->setTextFormat(Qt::PlainText);
    m_answer->setObjectName(u"rankAnswer"_s);
    m_answer->setWordWrap(true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_whyNot->setObjectName(u"whyNotCompared"_s);
    m_whyNot->setProperty("role", u"dim"_s);
    m_compare->setObjectName(u"compareRank"_s);
    m_open->setObjectName(u"openRank"_s);
    auto *head = new QWidget;
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(16, 8, 16, 6);
    row->setSpacing(12);
    row->addWidget(m_title);
    row->addWidget(m_answer, 1);
    row->addWidget(m_whyNot);
    row->addWidget(m_compare);
    row->addWidget(m_open);
    return head;
}

QWidget *RankDetails::makeTables()
{
    auto *content = new QWidget;
    content->setProperty("role", u"side"_s);
    content->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 6, 16, 8);
    layout->setSpacing(4);
    layout->addWidget(m_kindsTitle);
    layout->addWidget(m_kinds);
    layout->addSpacing(10);
    layout->addWidget(m_sitesTitle);
    layout->addWidget(m_sites);
    layout->addStretch(1);
    auto *area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    return area;
}

void RankDetails::setUnit(ByteUnit unit)
{
    m_unit = unit;
    m_curve->setUnit(unit);
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
    const Rank &rank = m_folder->ranks[m_rank];
    const Rank &typical = m_folder->ranks[m_folder->active.typical];
    const bool isTypical = m_rank == m_folder->active.typical;
    m_title->setText(u"Rank %1"_s.arg(rank.number));
    m_answer->setText(rankAnswer(*m_folder, m_rank, m_unit));
    m_answer->setProperty("role", rank.summary.outOfMemory.empty() ? u""_s : u"bad"_s);
    m_answer->style()->unpolish(m_answer);
    m_answer->style()->polish(m_answer);
    m_whyNot->setText(whyNotCompared(*m_folder, m_rank));
    m_whyNot->setVisible(isTypical);
    m_compare->setVisible(!isTypical);
    m_compare->setText(u"Compare with rank %1, the typical one"_s.arg(typical.number));
    m_compare->setToolTip(
        u"Where rank %1 holds other memory than the rank nearest to the median"_s.arg(rank.number));
    m_open->setText(u"Open rank %1"_s.arg(rank.number));
    const QString sure = rank.peak.areKindsSure ? QString() : u" · unsure"_s;
    m_kindsTitle->setText(u"The peak by category"_s.toUpper() + sure);
    const std::vector<FactRow> sites = siteRows(*m_folder, m_rank, m_unit);
    const bool differs = !sites.empty() && sites.front().cells[Difference].exact.value_or(0) != 0;
    m_kindsTitle->setToolTip(u"The categories are judged by stacks and lifetimes"_s);
    m_sitesTitle->setText((differs ? u"Where it was allocated, what differs most first"_s
                                   : u"Where most of it was allocated"_s)
                              .toUpper());
    const QString difference = isTypical ? QString() : u"against rank %1"_s.arg(typical.number);
    for (FactTable *table : {m_kinds, m_sites})
        table->setHorizontalHeaderLabels(
            {QString(), u"rank %1"_s.arg(rank.number), u"share"_s, difference, QString()});
    m_kinds->setRows(kindRows(*m_folder, m_rank, m_unit));
    m_sites->setRows(sites);
}

} // namespace vramscope
