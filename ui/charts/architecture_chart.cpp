// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/architecture_chart.h"

#include "ui/support/text.h"

#include <algorithm>

// The content and the texts of an ArchitectureChart; architecture_paint.cpp paints it.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The number of layers for which a rule is true, without a list of them: a config may claim any
/// number.
std::int64_t layersWith(const Architecture &it, bool (*holds)(const Architecture &, std::int64_t))
{
    if (it.slidingLayers.empty())
        return holds(it, 0) ? it.layers : 0;
    std::int64_t count = 0;
    for (std::int64_t layer = 0; layer < it.layers; ++layer)
        count += holds(it, layer);
    return count;
}

} // namespace

QString modelPartName(ModelPart part)
{
    switch (part) {
    case ModelPart::Embedding:
        return u"Embedding"_s;
    case ModelPart::Positions:
        return u"Positions"_s;
    case ModelPart::Attention:
        return u"Attention"_s;
    case ModelPart::StateMixer:
        return u"State layers"_s;
    case ModelPart::Mlp:
        return u"MLP"_s;
    case ModelPart::Experts:
        return u"Experts"_s;
    case ModelPart::SharedExperts:
        return u"Shared"_s;
    case ModelPart::Router:
        return u"Router"_s;
    case ModelPart::Norms:
        return u"Norms"_s;
    case ModelPart::Head:
        return u"Head"_s;
    case ModelPart::Other:
        return u"Other"_s;
    }
    return {};
}

QColor modelPartColor(ModelPart part)
{
    switch (part) {
    case ModelPart::Embedding:
        return QColor::fromRgb(0xb98a3e);
    case ModelPart::Positions:
        return QColor::fromRgb(0x8f6b30);
    case ModelPart::Head:
        return QColor::fromRgb(0xd3ae6b);
    case ModelPart::Attention:
        return QColor::fromRgb(0x7d6fb5);
    case ModelPart::StateMixer:
        return QColor::fromRgb(0x4c88c0);
    case ModelPart::Mlp:
        return QColor::fromRgb(0x2f8f80);
    case ModelPart::Experts:
        return QColor::fromRgb(0x5bb3a3);
    case ModelPart::SharedExperts:
        return QColor::fromRgb(0x1f6b66);
    case ModelPart::Router:
        return QColor::fromRgb(0xb5657f);
    case ModelPart::Norms:
    case ModelPart::Other:
        break;
    }
    return QColor::fromRgb(0x8a94a3);
}

ArchitectureChart::ArchitectureChart(QWidget *parent)
    : Chart(parent)
{
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(u"What the model consists of"_s);
}

void ArchitectureChart::setArchitecture(const Architecture &architecture)
{
    if (architecture == m_architecture)
        return;
    m_architecture = architecture;
    m_parts = modelParts(architecture);
    m_total = 0;
    for (const ModelPartCount &part : m_parts)
        m_total += part.count;
    m_rows.clear();
    QStringList words;
    if (!m_parts.empty()) {
        addLayerRows();
        addHeadRow();
        if (architecture.moe())
            addExpertRow();
    }
    for (const ModelPartCount &part : m_parts)
        words += partText(part);
    setAccessibleDescription(words.join(u". "_s) + u". "_s + rowWords());
    relayout();
}

void ArchitectureChart::addLayerRows()
{
    const Architecture &it = m_architecture;
    if (!it.isPlain())
        return addListedRows();
    const std::int64_t dense = it.moe() ? std::min(it.denseLayers, it.layers) : it.layers;
    const std::int64_t routed = it.layers - dense;
    const QString shape =
        u"%1 of hidden size %2"_s.arg(countedText(it.layers, "layer"), countText(it.hidden));
    m_rows.push_back(
        {u"Layers"_s, it.layers,
         [dense](std::int64_t layer) {
             return modelPartColor(layer < dense ? ModelPart::Mlp : ModelPart::Experts);
         },
         0,
         routed == 0  ? u"%1 × %2"_s.arg(countText(it.layers), countText(it.hidden))
         : dense == 0 ? u"%1 MoE"_s.arg(countText(routed))
                      : u"%1 + %2 MoE"_s.arg(countText(dense), countText(routed)),
         routed == 0  ? shape
         : dense == 0 ? u"%1, all with experts"_s.arg(shape)
                      : u"%1: %2 dense, then %3 with experts"_s.arg(shape, countText(dense),
                                                                    countText(routed))});
    addWindowRow();
}

void ArchitectureChart::addWindowRow()
{
    const Architecture &it = m_architecture;
    const std::int64_t windowed = layersWith(it, windowedLayer);
    if (windowed == 0)
        return;
    m_rows.push_back({u"Windowed"_s, it.layers,
                      [it](std::int64_t layer) {
                          return windowedLayer(it, layer) ? modelPartColor(ModelPart::Attention)
                                                          : QColor();
                      },
                      0, u"%1 of %2"_s.arg(countText(windowed), countText(it.layers)),
                      u"%1 of %2 attend to the last %3 only"_s.arg(
                          countText(windowed), countedText(it.layers, "layer"),
                          countedText(it.slidingWindow, "token"))});
}

/// A row of the mixers (attention or others) of the layers, and one of the feed-forward parts.
void ArchitectureChart::addListedRows()
{
    const Architecture &it = m_architecture;
    const auto count = [&it](auto holds) {
        return static_cast<std::int64_t>(std::ranges::count_if(it.blocks, holds));
    };
    const std::int64_t attending = count([](const BlockKind &kind) { return kind.attends(); });
    const std::int64_t keeping = count([](const BlockKind &kind) { return kind.keepsState(); });
    const QString mixers = keeping == 0 ? QString()
                           : attending == 0
                               ? u": all keep a state in place of a cache"_s
                               : u": %1 attend, %2 keep a state in place of a cache"_s.arg(
                                     countText(attending), countText(keeping));
    m_rows.push_back(
        {u"Layers"_s, it.layers,
         [it](std::int64_t layer) {
             const BlockKind kind = it.kindOf(layer);
             return kind.attends()      ? modelPartColor(ModelPart::Attention)
                    : kind.keepsState() ? modelPartColor(ModelPart::StateMixer)
                                        : QColor();
         },
         0,
         keeping == 0 ? u"%1 × %2"_s.arg(countText(it.layers), countText(it.hidden))
                      : u"%1 of %2 attend"_s.arg(countText(attending), countText(it.layers)),
         u"%1 of hidden size %2"_s.arg(countedText(it.layers, "layer"), countText(it.hidden)) +
             mixers});
    const std::int64_t routed =
        count([](const BlockKind &kind) { return kind.feedForward == FeedForward::Experts; });
    const std::int64_t dense =
        count([](const BlockKind &kind) { return kind.feedForward == FeedForward::Dense; });
    if (routed + dense == 0)
        return;
    m_rows.push_back({u"MLPs"_s, it.layers,
                      [it](std::int64_t layer) {
                          const FeedForward of = it.kindOf(layer).feedForward;
                          return of == FeedForward::Experts ? modelPartColor(ModelPart::Experts)
                                 : of == FeedForward::Dense ? modelPartColor(ModelPart::Mlp)
                                                            : QColor();
                      },
                      0,
                      routed == 0  ? countText(dense)
                      : dense == 0 ? u"%1 MoE"_s.arg(countText(routed))
                                   : u"%1 + %2 MoE"_s.arg(countText(dense), countText(routed)),
                      u"%1 with a dense feed-forward, %2 with experts"_s.arg(
                          countedText(dense, "layer"), countText(routed))});
    addWindowRow();
}

void ArchitectureChart::addHeadRow()
{
    const Architecture &it = m_architecture;
    if (it.heads == 0)
        return;
    const auto color = [](std::int64_t) { return modelPartColor(ModelPart::Attention); };
    if (it.mla()) {
        const QString queries = it.qLoraRank > 0
                                    ? u"queries through rank %1, "_s.arg(countText(it.qLoraRank))
                                    : QString();
        m_rows.push_back({u"Heads"_s, it.heads, color, 1, u"%1, latent"_s.arg(countText(it.heads)),
                          u"%1: %2keys and values from one latent of %3, and %4 rotary"_s.arg(
                              countedText(it.heads, "head"), queries, countText(it.kvLoraRank),
                              countText(it.qkRopeHeadDim))});
        return;
    }
    const AttentionShape &full = it.fullAttention;
    const QString others =
        full.headDim == 0
            ? QString()
            : u"; layers that attend fully have %1 query heads of %2 and %3 of keys%4"_s.arg(
                  countText(full.heads), countText(full.headDim), countText(full.kvHeads),
                  full.valuesAreKeys ? u", which are the values too"_s : u" and values"_s);
    const std::int64_t share = it.kvHeads > 0 ? it.heads / it.kvHeads : 0;
    const QString words =
        share > 1 ? u"%1 query heads of %2, %3 share one key and value head: %4 of them"_s
                  : u"%1 query heads of %2, each with its own key and value head"_s;
    m_rows.push_back({u"Heads"_s, it.heads, color, it.kvHeads,
                      u"%1 / %2 KV"_s.arg(countText(it.heads), countText(it.kvHeads)),
                      (share > 1 ? words.arg(countText(it.heads), countText(it.headDim),
                                             countText(share), countText(it.kvHeads))
                                 : words.arg(countText(it.heads), countText(it.headDim))) +
                          others});
}

void ArchitectureChart::addExpertRow()
{
    const Architecture &it = m_architecture;
    const std::int64_t active = it.expertsPerToken;
    const QString shared =
        it.sharedFfn > 0
            ? u", besides %1 shared"_s.arg(countText(std::max<std::int64_t>(1, it.sharedExperts)))
            : QString();
    m_rows.push_back({u"Experts"_s, it.experts,
                      [active](std::int64_t expert) {
                          return expert < active ? modelPartColor(ModelPart::Experts) : QColor();
                      },
                      0, u"%1 of %2"_s.arg(countText(active), countText(it.experts)),
                      u"%1 of %2 of width %3 work on a token%4"_s.arg(
                          countText(active), countedText(it.experts, "expert"),
                          countText(it.expertFfn), shared)});
}

QString ArchitectureChart::rowWords() const
{
    QStringList words;
    for (const Row &row : m_rows)
        words += row.words;
    return words.join(u". "_s) + u'.';
}

QString ArchitectureChart::nameOf(ModelPart part) const
{
    const bool both = part == ModelPart::Embedding && sharesHead(m_architecture);
    return both ? u"Embed = head"_s : modelPartName(part);
}

QString ArchitectureChart::partText(const ModelPartCount &part) const
{
    return u"%1: %2, %3 = %4"_s.arg(nameOf(part.part), countedText(part.count, "parameter"),
                                    shareText(part.count, m_total), toQString(part.formula));
}

QString ArchitectureChart::hoverText(QPointF point) const
{
    for (std::size_t part = 0; part < m_parts.size(); ++part) {
        if (!segment(part).contains(point) && !legendEntry(part).contains(point))
            continue;
        const ModelPartCount &shown = m_parts[part];
        return u"<b>%1</b> %2, %3<br>%4"_s.arg(
            nameOf(shown.part), countedText(shown.count, "parameter"),
            shareText(shown.count, m_total), toQString(shown.formula));
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        if (rowAt(row).contains(point))
            return m_rows[row].words;
    }
    return {};
}

} // namespace vramscope
