// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/recommendation_view.h"

#include "core/estimate/estimate.h"
#include "core/print/plan_report.h"
#include "core/print/recommendation_report.h"
#include "ui/jobs/job.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/support/verdict_color.h"
#include "ui/support/wrapped_label.h"

#include <QEvent>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWait = 80; ///< milliseconds in which the plan does not change

using Kind = Recommendation::Kind;

/// Whether the plan is left as it is, which the answer says already.
bool keeps(const Recommendation &found)
{
    return !found.options.empty() && found.options.front().kind == Kind::Recommended &&
           found.options.front().combination.fields.empty();
}

QString tipOf(const Combination &option)
{
    QStringList lines;
    for (std::size_t i = 0; i < option.titles.size(); ++i)
        lines += u"%1: %2"_s.arg(toQString(option.titles[i]), toQString(option.prices[i]));
    return lines.join(u'\n');
}

} // namespace

RecommendationView::RecommendationView(QWidget *parent)
    : WrappedLabel({}, parent)
{
    ignoreWidth();
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                            Qt::LinksAccessibleByKeyboard);
    setAccessibleName(u"Recommendation"_s);
    hide();
    m_wait.setSingleShot(true);
    m_wait.setInterval(kWait);
    connect(&m_wait, &QTimer::timeout, this, &RecommendationView::search);
    connect(this, &QLabel::linkActivated, this, [this](const QString &link) {
        const auto index = link.toULongLong();
        if (index < m_found.options.size())
            Q_EMIT optionChosen(Combination(m_found.options[index].combination));
    });
    connect(this, &QLabel::linkHovered, this, [this](const QString &link) {
        const auto index = link.toULongLong();
        const bool known = !link.isEmpty() && index < m_found.options.size();
        setToolTip(known ? tipOf(m_found.options[index].combination) : QString());
    });
}

RecommendationView::~RecommendationView() = default;

void RecommendationView::showPlan(const Plan &plan, const Estimate &estimate, ByteUnit unit)
{
    const bool known = estimate.computed && estimate.capacity;
    if (plan != m_plan || (known && m_capacity != *estimate.capacity)) {
        m_job.reset();
        m_outdated = known;
        if (known)
            m_wait.start();
        else
            m_wait.stop();
    }
    m_plan = plan;
    m_capacity = known ? *estimate.capacity : 0;
    m_unit = unit;
    if (!known)
        m_found = {};
    refresh();
}

void RecommendationView::workNow()
{
    if (m_outdated)
        take(recommend(m_plan));
}

void RecommendationView::search()
{
    m_job = std::make_unique<Job>([plan = m_plan](const Progress &) { return recommend(plan); },
                                  [this](Recommendation found) { take(std::move(found)); });
}

void RecommendationView::take(Recommendation found)
{
    m_wait.stop();
    m_outdated = false;
    m_found = std::move(found);
    refresh();
}

void RecommendationView::refresh()
{
    // What was found for another plan stays, without its links, until the new answer is there.
    setText(html());
    setVisible(!text().isEmpty());
}

QString RecommendationView::html() const
{
    if (m_capacity == 0 || m_found.weighed == 0)
        return {};
    const Theme &theme = themeOf(this);
    if (m_found.options.empty())
        return toQString(recommendationText(m_found, m_capacity, m_unit)).toHtmlEscaped();
    QString cards;
    for (std::size_t i = 0; i < m_found.options.size(); ++i) {
        if (i > 0 || !keeps(m_found))
            cards += cardHtml(i, theme);
    }
    if (cards.isEmpty())
        return {};
    return u"<span style=\"color:%1; font-size:9pt\"><b>%2</b></span><table width=\"100%\" cellspacing=\"0\" cellpadding=\"0\">%3</table>"_s
        .arg(theme.dim.name(), keeps(m_found) ? u"Other ways"_s : u"Ways to fit"_s, cards);
}

QString RecommendationView::cardHtml(std::size_t index, const Theme &theme) const
{
    const auto &[kind, option] = m_found.options[index];
    QStringList facts; // then, on a line of its own, the risk
    if (kind == Kind::FewerGpus || kind == Kind::MoreGpus)
        facts += countedText(option.gpus, "GPU");
    if (const std::string time = slowdownText(option); !time.empty())
        facts += toQString(time);
    const QString risk = toQString(riskText(option, m_unit));
    const QString apply =
        m_outdated ? QString()
                   : u"<a style=\"color:%1;text-decoration:none\" href=\"%2\">Apply</a>"_s.arg(
                         theme.accent.name(), QString::number(index));
    const QString memory = toQString(memoryText(option.standing, m_capacity, m_unit));
    const auto lines = unbroken(facts.join(u" · "_s)).toHtmlEscaped() +
                       (facts.isEmpty() ? QString() : u"<br>"_s) + unbroken(risk).toHtmlEscaped();
    return u"<tr><td style=\"padding-top:8px; color:%1\">%2</td>"
           "<td style=\"padding-top:8px; color:%3; white-space:pre\" align=\"right\">%4</td></tr>"
           "<tr><td colspan=\"2\"><b>%5</b></td></tr>"
           "<tr><td colspan=\"2\" style=\"color:%6\">%7 &nbsp;%8</td></tr>"_s.arg(
               theme.hint.name(), toQString(kindTitle(kind)).toHtmlEscaped(),
               verdictColor(option.standing.verdict, theme, theme.text).name(),
               memory.toHtmlEscaped(), toQString(combinedTitle(option)).toHtmlEscaped(),
               theme.dim.name(), lines, apply);
}

void RecommendationView::changeEvent(QEvent *event)
{
    WrappedLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace vramscope
