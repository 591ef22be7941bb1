// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/why_text.h"

#include "core/estimate/rollout/rollout_memory.h"
#include "core/print/formula_symbols.h"
#include "ui/support/text.h"

#include <set>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString figureRow(const QString &name, const QString &value, const Theme &theme)
{
    return u"<tr><td style=\"color:%1; padding-bottom:4px\">%2</td>"
           "<td align=\"right\" style=\"padding-bottom:4px\">%3</td></tr>"_s.arg(theme.dim.name(),
                                                                                 name, value);
}

QString formulaBox(const QString &formula, const Theme &theme)
{
    const QFont mono = monospaceFont();
    // The result, or the numbers put in, stand on a line of their own.
    QString broken = formula.toHtmlEscaped();
    if (const qsizetype last = broken.lastIndexOf(u" = "_s); last >= 0)
        broken.replace(last, 1, u"<br>"_s);
    return u"<table width=\"100%\" cellpadding=\"6\" cellspacing=\"0\" bgcolor=\"%1\"><tr><td "
           "style=\"font-family:'%2'; font-size:%3pt; white-space:pre-wrap\">%4</td></tr></table>"_s
               .arg(theme.window.name(), mono.family(), QString::number(mono.pointSizeF(), 'f', 1),
                    broken);
}

} // namespace

QString evidenceText(const Component &component)
{
    switch (component.evidence) {
    case Evidence::Verified:
        return u"Checked against measured runs."_s;
    case Evidence::Sourced:
        return u"As the source states it."_s;
    case Evidence::Derived:
        return u"Derived from first principles; not checked against a measurement."_s;
    case Evidence::Empirical:
        break;
    }
    return component.spread > 0 ? u"An empirical figure, ± %1 %."_s.arg(
                                      toQString(formatNumber(100 * component.spread, 2)))
                                : u"An empirical figure."_s;
}

QString whyHtml(const std::vector<Component> &components, const Theme &theme, ByteUnit unit)
{
    QString html;
    std::set<std::string_view> explained;
    for (const Component &component : components) {
        html +=
            u"<p style=\"margin:%1px 0 4px 0\"><b>%2</b> <span style=\"color:%3\">· %4</span></p>"_s
                .arg(QString::number(html.isEmpty() ? 0 : 12),
                     toQString(component.name).toHtmlEscaped(), theme.dim.name(),
                     exactBytesText(component.bytes, unit));
        if (!component.formula.empty())
            html += formulaBox(toQString(component.formula), theme);
        if (const std::string symbols = symbolsText(component.formula, explained); !symbols.empty())
            html += u"<p style=\"margin:4px 0 0 0; color:%1\">%2</p>"_s.arg(theme.dim.name(),
                                                                            toQString(symbols));
        QString source = toQString(component.source).trimmed();
        if (!source.isEmpty() && !source.endsWith(u'.'))
            source += u'.';
        html += u"<p style=\"margin:4px 0 0 0; color:%1\">%2 %3</p>"_s.arg(
            theme.dim.name(), source.toHtmlEscaped(), evidenceText(component));
    }
    return html;
}

QString figuresHtml(const Estimate &estimate, const Theme &theme, ByteUnit unit)
{
    QString rows;
    const auto add = [&](const QString &name, const QString &value) {
        rows += figureRow(name, value, theme);
    };
    if (estimate.parametersTotal > 0)
        add(u"Parameters"_s, countText(estimate.parametersTotal));
    if (estimate.parametersActive > 0 && estimate.parametersActive != estimate.parametersTotal)
        add(u"active for a token"_s, countText(estimate.parametersActive));
    // Equal unless tensors, blocks or experts are split; shards of a data-parallel group are not.
    if (estimate.parametersPerRank > 0 && estimate.parametersPerRank != estimate.parametersTotal)
        add(u"of the model's split on this GPU"_s, countText(estimate.parametersPerRank));
    for (const RolloutPhase &phase : rolloutPhases(estimate)) {
        add(capitalized(toQString(phase.name)),
            u"%1 + %2"_s.arg(bytesText(phase.trainer, unit), bytesText(phase.engine, unit)));
    }
    if (estimate.hostBytes > 0)
        add(u"Host memory"_s, bytesText(estimate.hostBytes, unit));
    if (estimate.communicationBytes > 0)
        add(u"Communication a step"_s, bytesText(estimate.communicationBytes, unit));
    for (std::size_t stage = 0; estimate.stages.size() > 1 && stage < estimate.stages.size();
         ++stage)
        add(u"Peak of stage %1"_s.arg(stage), bytesText(estimate.stages[stage], unit));
    if (const auto &serving = estimate.inference) {
        add(u"Cache per token"_s, bytesText(serving->kvBytesPerToken, unit));
        if (serving->stateBytesPerSequence > 0)
            add(u"States per sequence"_s, bytesText(serving->stateBytesPerSequence, unit));
        add(u"Cache"_s, bytesText(serving->kvCache, unit));
        add(u"Tokens in the cache"_s, countText(serving->kvTokens));
        if (serving->maxConcurrency > 0)
            add(u"Longest sequences at once"_s,
                toQString(formatNumber(serving->maxConcurrency, 4)));
    }
    return rows.isEmpty() ? QString()
                          : u"<table width=\"100%\" cellspacing=\"0\">%1</table>"_s.arg(rows);
}

QString figuresTip(const Estimate &estimate)
{
    QStringList lines{u"Parameters: of the whole model, as counted under Model"_s};
    if (estimate.parametersActive > 0 && estimate.parametersActive != estimate.parametersTotal)
        lines += u"active: those that one token uses; the other experts rest"_s;
    if (estimate.parametersPerRank > 0 && estimate.parametersPerRank != estimate.parametersTotal)
        lines +=
            u"of the model's split: what tensor, pipeline and expert parallel leave to a GPU"_s;
    if (estimate.hasRollout())
        lines +=
            u"Generation to weight sync: trainer + engine, allocated at the highest moment of each phase"_s;
    if (estimate.hostBytes > 0)
        lines += u"Host memory: what is offloaded, for each GPU"_s;
    if (estimate.communicationBytes > 0)
        lines += u"Communication: bytes that each GPU sends in a step"_s;
    if (estimate.stages.size() > 1)
        lines += u"Peak of a stage: allocated on each of its GPUs"_s;
    if (estimate.inference)
        lines += {u"Cache per token: keys and values of all layers, on one GPU"_s,
                  u"Longest sequences at once: how many of the greatest length the cache holds"_s};
    return lines.join(u'\n');
}

} // namespace vramscope
