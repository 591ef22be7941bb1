// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalogue.h"
#include "core/estimate/estimate.h"
#include "core/plan/field.h"
#include "core/print/asked_report.h"
#include "core/print/plan_report.h"
#include "core/settings/job_text.h"
#include "ui/planner/ask_box.h"
#include "ui/planner/field_text.h"
#include "ui/planner/word_control.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/support/verdict_color.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostCandidates = 8;

/// Such that it never wraps.
QString unwrapped(QString word)
{
    return word.replace(u' ', u'\u00a0').replace(u'-', u"\u2060-\u2060"_s);
}

/// A line of text, a paragraph of 20 pixels a line in body type.
QString lineOf(const QString &html, const QString &style = {})
{
    return u"<div style=\"line-height:125%;%1\">%2</div>"_s.arg(style, html);
}

QString spanOf(const QString &html, const QColor &color)
{
    return u"<span style=\"color:%1\">%2</span>"_s.arg(color.name(), html);
}

} // namespace

/// The models that may be meant, each a link that says so in the line.
QString AskBox::candidatesHtml() const
{
    QStringList links;
    for (std::size_t at = 0; at < std::min(m_asked.candidates.size(), kMostCandidates); ++at) {
        const std::string &name = m_asked.candidates[at];
        const CatalogueModel *model = findCatalogueModel(name);
        links += u"<a style=\"color:%1\" href=\"%2%3\">%4</a>"_s.arg(
            themeOf(this).accent.name(), kModelLink, toQString(name),
            toQString(model ? model->title : name).toHtmlEscaped());
    }
    return links.join(u" · "_s);
}

QString AskBox::answerHtml() const
{
    switch (m_asked.kind) {
    case AskedKind::Path:
        return u"Enter opens this file."_s;
    case AskedKind::Document:
    case AskedKind::CommandLine:
        return m_open ? u"Enter takes these settings into the plan."_s
                      : u"Enter makes a plan of these settings."_s;
    case AskedKind::Words:
        break;
    }
    if (!m_asked.understood()) {
        const QString refusal = toQString(askedRefusal(m_asked)).toHtmlEscaped();
        return m_asked.candidates.empty() ? refusal : refusal + u"<br>"_s + candidatesHtml();
    }
    const Plan &plan = m_found ? m_found->plan : *m_asked.plan;
    const Estimate estimate = vramscope::estimate(plan);
    QString html;
    for (const QString &part : {soughtHtml(), verdictHtml(estimate)})
        if (!part.isEmpty())
            html += lineOf(part, u"font-size:%1pt"_s.arg(
                                     typeFont(m_go ? Type::Lead : Type::Body).pointSizeF()));
    return html + sentenceHtml(plan, *estimate.settings) + notesHtml() + versionsHtml();
}

/// The verdict's word in its colour, then the figures.
QString AskBox::verdictHtml(const Estimate &estimate) const
{
    const Theme &theme = themeOf(this);
    QString answer = toQString(answerLine(std::string_view(), estimate));
    if (estimate.computed)
        answer = answer.sliced(2); // ": "
    QString word;
    if (const std::optional<Verdict> verdict = verdictOf(estimate); verdict && estimate.computed) {
        word = toQString(verdictWord(estimate));
        answer = answer.sliced(word.size() + 2);
        word = u"<b>%1</b>&nbsp; "_s.arg(spanOf(capitalized(word), verdictColor(*verdict, theme)));
    }
    return word + spanOf(unbroken(answer.toHtmlEscaped()), theme.text);
}

/// The job, what else was said or set by a control since, and at the right what is assumed: each
/// word a control.
QString AskBox::sentenceHtml(const Plan &plan, const Settings &settings) const
{
    const Theme &theme = themeOf(this);
    std::vector<FieldPath> told = {"adapters.kind", "hardware.gpus", "inference.engine",
                                   "model.known_as"};
    for (const JobWord &word : jobWords(plan, settings))
        if (word.field && *word.field != FieldPath("workload"))
            told.push_back(*word.field);
    const auto isTold = [&](FieldPath path) {
        return std::ranges::find(told, path) != told.end() || path.text().starts_with("model.");
    };
    QStringList said{unbroken(jobHtml(plan, settings, theme))};
    QStringList assumed;
    const auto add = [&](FieldPath path, AskedState state, const std::string &meaning) {
        const Field &field = fieldAt(path);
        const bool isTask = path == "workload";
        const bool isSet = std::ranges::find(m_set, path) != m_set.end();
        if (isTold(path) || !field.applies(settings) ||
            (isTask && (isSet || state == AskedState::Understood)))
            return; // the job says it, or a control has taken it away
        told.push_back(path);
        const QString word = toQString(isTask ? meaning : fieldTold(plan, settings, path));
        (isSet || state == AskedState::Understood ? said : assumed) +=
            wordHtml(path, unwrapped(word), theme);
    };
    for (const AskedPiece &piece : m_asked.pieces)
        if (piece.state == AskedState::Understood || piece.state == AskedState::Assumed)
            for (const FieldPath path : piece.fields)
                add(path, piece.state, piece.meaning);
    const QString left = said.join(u" · "_s);
    if (assumed.isEmpty())
        return lineOf(left);
    const QString right = spanOf(u"Assumed: "_s + assumed.join(u", "_s), theme.hint);
    return u"<table width=\"100%\" cellspacing=\"0\" cellpadding=\"0\"><tr><td width=\"45%\">%1"
           "</td><td width=\"55%\" align=\"right\">%2</td></tr></table>"_s.arg(lineOf(left),
                                                                               lineOf(right));
}

/// Which words were passed over, what the plan leaves out, and which other model may be meant.
QString AskBox::notesHtml() const
{
    const Theme &theme = themeOf(this);
    QStringList notes{toQString(askedPassedOver(m_asked))};
    for (const std::string &remark : m_asked.remarks)
        notes << toQString(remark);
    QString html;
    if (const QString text = notes.join(u' ').trimmed(); !text.isEmpty())
        html = lineOf(spanOf(text.toHtmlEscaped(), theme.warn));
    if (!m_asked.candidates.empty())
        html += lineOf(u"It may be another model: "_s + candidatesHtml());
    return html;
}

/// What was asked for: the sentence that answers it, or that it is looked for.
QString AskBox::soughtHtml() const
{
    if (!m_asked.sought)
        return {};
    return m_found ? u"<b style=\"color:%1\">%2</b>"_s.arg(
                         themeOf(this).text.name(), toQString(m_found->sentence).toHtmlEscaped())
           : m_whyNotFound.isEmpty() ? u"Looking for it …"_s
                                     : m_whyNotFound.toHtmlEscaped();
}

/// What the words may mean as well, each a link with its verdict.
QString AskBox::versionsHtml() const
{
    const Theme &theme = themeOf(this);
    QStringList links;
    for (std::size_t at = 0; at < m_asked.versions.size() && m_set.empty(); ++at) {
        const PlanVersion &version = m_asked.versions[at];
        const Estimate there = estimate(version.plan);
        const std::optional<Verdict> verdict = verdictOf(there);
        const QString stands =
            verdict ? u' ' + spanOf(toQString(verdictWord(there)), verdictColor(*verdict, theme))
                    : QString();
        links += u"<a style=\"color:%1;text-decoration:none\" href=\"%2%3\">%4</a>%5"_s.arg(
            theme.accent.name(), kVersionLink, QString::number(at),
            toQString(version.title).toHtmlEscaped(), stands);
    }
    return links.isEmpty() ? QString() : lineOf(u"Or: "_s + links.join(u" · "_s));
}

} // namespace vramscope
