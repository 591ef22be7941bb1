// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/weight_file/weight_file_page.h"

#include "core/llama_cpp/llama_cards.h"
#include "core/print/split_report.h"
#include "core/print/weights_report.h"
#include "ui/charts/segment_bars.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kUsualContext = 8192;

/// A heading over what belongs to it.
QWidget *section(const QString &title, std::initializer_list<LaidOut> parts)
{
    auto *heading = new QLabel(title);
    heading->setProperty("role", u"heading"_s);
    return panel(column({heading, column(parts, 8)}, 8, {18, 12, 18, 12}));
}

QColor seriesColor(std::size_t index)
{
    return QColor::fromRgb(seriesColors()[index % kSeriesColorCount]);
}

/// Colours in the order of the types, the largest first.
std::vector<BarSegment> typeSegments(const std::vector<TypeBytes> &types)
{
    std::vector<BarSegment> segments;
    segments.reserve(types.size());
    for (const TypeBytes &each : types)
        segments.push_back({toQString(each.type.name), each.bytes, seriesColor(segments.size())});
    return segments;
}

QString layerName(std::int64_t first, std::int64_t last)
{
    return first == last ? u"layer %1"_s.arg(first) : u"layers %1 – %2"_s.arg(first).arg(last);
}

Table::Cell textCell(const QString &text)
{
    return {text, std::nullopt, 0};
}

/// "20 layers: 0 – 3, 6, 9, …"
QString layersName(const std::vector<std::int64_t> &layers)
{
    if (layers.size() == 1)
        return layerName(layers.front(), layers.front());
    QStringList ranges;
    constexpr qsizetype kShown = 3;
    std::size_t at = 0;
    for (; at < layers.size() && ranges.size() < kShown; ++at) {
        std::size_t last = at;
        while (last + 1 < layers.size() && layers[last + 1] == layers[last] + 1)
            ++last;
        ranges << (last == at ? QString::number(layers[at])
                              : u"%1 – %2"_s.arg(layers[at]).arg(layers[last]));
        at = last;
    }
    if (at < layers.size())
        ranges << u"…"_s;
    return u"%1: %2"_s.arg(countedText(std::ssize(layers), "layer"), ranges.join(u", "_s));
}

SegmentBar deviceBar(const LlamaShare &share, const std::optional<Bytes> &free, ByteUnit unit)
{
    SegmentBar bar;
    bar.name = foreignText(share.name);
    bar.segments = {{u"Model"_s, share.model, categoryColor(Category::Parameters)},
                    {u"Cache"_s, share.cache, categoryColor(Category::KeyValueCache)},
                    {u"Compute (estimate)"_s, share.compute + share.output,
                     categoryColor(Category::Activations)},
                    {u"Projector and draft"_s, share.projector + share.draft,
                     categoryColor(Category::Framework)}};
    bar.capacity = free;
    bar.note = bytesText(share.total(), unit);
    if (free) {
        bar.note += u", "_s + toQString(fitWords(share.total(), *free));
        bar.isBad = share.total() > *free;
    }
    return bar;
}

} // namespace

WeightFilePage::WeightFilePage(std::shared_ptr<const WeightFile> file, QWidget *parent)
    : DocumentPage(file, parent)
    , m_file(std::move(file))
{
    QVBoxLayout *parts = column({});
    if (m_file->checkpoint.table)
        parts->addWidget(makeTypes());
    if (m_file->model) {
        parts->addWidget(makeCards());
        parts->addWidget(makeDivision());
    } else {
        parts->addWidget(section(u"Divided by llama.cpp"_s,
                                 {textLabel(toQString(m_file->model.error().text()), u"dim"_s)}));
    }
    if (m_layers)
        parts->addWidget(section(u"Bytes per layer, equal layers in one bar"_s, {m_layers}));
    parts->addStretch(1);
    setLayout(column({makeHead(), {scrolled(panel(parts), u"Figures of the model"_s), 1}}));
    showTypes();
    showCards();
    divide();
}

QWidget *WeightFilePage::makeHead()
{
    const Checkpoint &checkpoint = m_file->checkpoint;
    Head head{toQString(checkpoint.kind) + u": "_s + toQString(weightsSummary(checkpoint))};
    QStringList facts;
    for (const auto &[name, fact] : modelFacts(checkpoint))
        facts << u"%1 %2"_s.arg(toQString(name), toQString(fact));
    if (!facts.isEmpty())
        head.notes.push_back({facts.join(u" · "_s)});
    if (const auto missing = checkpoint.missing.size(); missing > 0)
        head.notes.push_back(
            {u"%1 missing, %2 first: sums are at least these."_s
                 .arg(missing == 1 ? u"1 part is"_s : u"%1 parts are"_s.arg(missing))
                 .arg(foreignText(checkpoint.missing.front())),
             u"bad"_s});
    for (const Finding &finding : checkpoint.findings)
        head.notes.push_back({toQString(finding.sentence), finding.isBad() ? u"bad"_s : u"dim"_s});
    auto *plan = new QPushButton(u"Plan serving it"_s);
    plan->setToolTip(u"<p>%1</p>"_s.arg(
        m_file->plan ? u"A plan with this model, served by llama.cpp, its weights counted by these "
                       "tensors."_s
                     : toQString(m_file->plan.error().text()).toHtmlEscaped()));
    plan->setEnabled(m_file->plan.ok());
    connect(plan, &QPushButton::clicked, this, &WeightFilePage::makePlan);
    return new PageHead(head, plan);
}

void WeightFilePage::makePlan()
{
    QStringList notes;
    for (const ImportNote &note : m_file->plan->notes)
        notes << toQString(note.text);
    Q_EMIT planWanted(m_file->plan->plan, notes.join(u' '));
}

QWidget *WeightFilePage::makeTypes()
{
    m_types = new SegmentBars;
    m_types->setAccessibleName(u"Bytes by type"_s);
    m_layers = new SegmentBars;
    m_layers->setAccessibleName(u"Bytes by layer"_s);
    return section(u"Bytes by type"_s, {m_types});
}

void WeightFilePage::showTypes()
{
    if (!m_types)
        return;
    const Checkpoint &checkpoint = m_file->checkpoint;
    const std::vector<TypeBytes> types = bytesByType(*checkpoint.table);
    SegmentBar whole;
    whole.segments = typeSegments(types);
    whole.note = bytesText(whole.total(), unit());
    m_types->setUnit(unit());
    m_types->setBars({whole});
    // Of each layer its types, and neighbours that have the same as one bar.
    std::map<std::int64_t, std::vector<Bytes>> layers;
    std::vector<Bytes> others(types.size(), 0);
    for (const StoredTensor &tensor : checkpoint.tensors) {
        const auto at = static_cast<std::size_t>(
            std::ranges::find(types, tensor.type, &TypeBytes::type) - types.begin());
        const auto layer = layerOf(tensor);
        auto &sums =
            layer ? layers.try_emplace(*layer, types.size(), Bytes(0)).first->second : others;
        sums[at] += tensor.bytes;
    }
    std::vector<SegmentBar> bars;
    const auto add = [&](const QString &name, const std::vector<Bytes> &sums, bool each) {
        SegmentBar bar;
        bar.name = name;
        bar.segments = typeSegments(types);
        for (std::size_t i = 0; i < sums.size(); ++i)
            bar.segments[i].bytes = sums[i];
        bar.note = bytesText(bar.total(), unit()) + (each ? u" each"_s : QString());
        bars.push_back(std::move(bar));
    };
    // The layers of each composition, in the order of the first of each.
    std::vector<std::pair<const std::vector<Bytes> *, std::vector<std::int64_t>>> kinds;
    for (const auto &[layer, sums] : layers) {
        const auto same = std::ranges::find_if(
            kinds, [&sums = sums](const auto &kind) { return *kind.first == sums; });
        if (same == kinds.end())
            kinds.push_back({&sums, {layer}});
        else
            same->second.push_back(layer);
    }
    constexpr std::size_t kMostBars = 40;
    for (std::size_t i = 0; i < std::min(kMostBars, kinds.size()); ++i)
        add(layersName(kinds[i].second), *kinds[i].first, kinds[i].second.size() > 1);
    add(u"beside the layers"_s, others, false);
    m_layers->setUnit(unit());
    m_layers->setBars(std::move(bars));
}

QWidget *WeightFilePage::makeCards()
{
    m_cards = textLabel();
    return section(u"Cards that hold all of it"_s, {m_cards});
}

/// The smallest cards of the catalogue, with the settings below on one device.
void WeightFilePage::showCards()
{
    if (!m_cards)
        return;
    const LlamaCards found = cardsFor(*m_file->model, settings(), gpuPresets());
    QStringList names;
    constexpr std::size_t kShown = 6;
    for (std::size_t i = 0; i < std::min(kShown, found.cards.size()); ++i) {
        const QString name = u"%1 (%2)"_s.arg(toQString(found.cards[i]->title),
                                              bytesText(found.cards[i]->capacity, unit()));
        names << QString(name) // stays on one line, also at the point of "1g.5gb"
                     .replace(u' ', QChar(QChar::Nbsp))
                     .replace(u'.', u".\u2060"_s);
    }
    const QString what =
        u"With %1 cells of context it takes about %2 on one device, with %3 for a CUDA context "
        "and cuBLAS. "_s.arg(countText(found.context), bytesText(found.needs, unit()),
                             bytesText(kBesideLlama, unit()));
    m_cards->setText(
        found.cards.empty()
            ? what + u"No single card of the catalogue holds that: name several below, or leave "
                     "layers on the host."_s
            : what + u"%1 of %2 cards of the catalogue hold it, the smallest first: %3%4"_s
                         .arg(found.cards.size())
                         .arg(gpuPresets().size())
                         .arg(names.join(u"\u00a0· "_s),
                              found.cards.size() > kShown ? u"\u00a0· …"_s : QString()));
}

QWidget *WeightFilePage::makeDivision()
{
    const LlamaModel &model = *m_file->model;
    const auto layers = static_cast<int>(model.layers.size());
    m_machine = new QLineEdit(u"24GiB, host 64GiB"_s);
    m_machine->setAccessibleName(u"Free memory of the devices and the host"_s);
    m_machine->setMinimumWidth(200);
    m_gpuLayers = new QSpinBox;
    m_gpuLayers->setRange(-1, layers + 1);
    m_gpuLayers->setValue(-1);
    m_gpuLayers->setSpecialValueText(u"all"_s);
    m_gpuLayers->setAccessibleName(u"Layers on the devices"_s);
    m_context = new QSpinBox;
    m_context->setRange(0, 10'000'000);
    m_context->setSingleStep(1024);
    m_context->setGroupSeparatorShown(true);
    m_context->setSpecialValueText(u"as trained"_s);
    m_context->setValue(static_cast<int>(
        std::min<std::int64_t>(kUsualContext, std::max<std::int64_t>(model.trainedContext, 0))));
    m_context->setAccessibleName(u"Cells of context"_s);
    m_cache = choiceBox(u"Type of the cache"_s, {u"f16"_s, u"q8_0"_s, u"q5_1"_s, u"q4_0"_s});
    m_experts = new QSpinBox;
    m_experts->setRange(0, layers);
    m_experts->setAccessibleName(u"Layers whose experts stay on the host"_s);
    m_fit = new QCheckBox(u"--fit"_s);
    m_fit->setToolTip(u"<p>Shorten the context where it is as trained, then move layers, experts "
                      "first, until 1 GiB stays free on each device.</p>"_s);
    QHBoxLayout *fields = row({}, 8);
    const auto add = [fields](const QString &name, QWidget *field) {
        auto *label = new QLabel(name);
        label->setBuddy(field);
        fields->addWidget(label);
        fields->addWidget(field);
    };
    add(u"&Free memory"_s, m_machine);
    add(u"-n&gl"_s, m_gpuLayers);
    add(u"&Context"_s, m_context);
    add(u"Cac&he"_s, m_cache);
    if (model.experts > 0)
        add(u"--n-cpu-&moe"_s, m_experts);
    fields->addWidget(m_fit);
    fields->addStretch(1);
    QWidget *line = panel(fields);
    if (model.experts == 0) {
        m_experts->setParent(line);
        m_experts->hide();
    }
    m_devices = new SegmentBars;
    m_devices->setAccessibleName(u"Bytes of each device and the host"_s);
    m_notes = textLabel({}, u"dim"_s);
    connect(m_machine, &QLineEdit::textChanged, this, &WeightFilePage::divide);
    for (QSpinBox *field : {m_gpuLayers, m_context, m_experts})
        connect(field, &QSpinBox::valueChanged, this, &WeightFilePage::divide);
    connect(m_context, &QSpinBox::valueChanged, this, &WeightFilePage::showCards);
    connect(m_cache, &QComboBox::currentIndexChanged, this, &WeightFilePage::divide);
    connect(m_cache, &QComboBox::currentIndexChanged, this, &WeightFilePage::showCards);
    connect(m_fit, &QCheckBox::toggled, this, &WeightFilePage::divide);
    return section(u"Divided by llama.cpp"_s, {line, m_devices, m_notes});
}

LlamaSettings WeightFilePage::settings() const
{
    LlamaSettings settings;
    settings.gpuLayers = m_gpuLayers->value();
    settings.gpuLayersStated = settings.gpuLayers >= 0;
    settings.context = m_context->value();
    // Both are of the list that llama.cpp knows.
    (void)setLlamaFlag(settings, "-ctk", m_cache->currentText().toStdString());
    (void)setLlamaFlag(settings, "-ctv", m_cache->currentText().toStdString());
    for (std::int64_t layer = 0; layer < m_experts->value(); ++layer)
        settings.overrides.push_back(expertsOnHost(layer));
    return settings;
}

void WeightFilePage::divide()
{
    if (!m_devices)
        return;
    const auto machine = parseMachine(m_machine->text().toStdString());
    if (!machine) {
        m_flags.clear();
        m_devices->setBars({});
        m_notes->setText(toQString(machine.error().text()));
        Q_EMIT statusChanged();
        return;
    }
    LlamaSettings chosen = settings();
    QStringList notes;
    if (m_fit->isChecked()) {
        const LlamaFit fit = fitModel(*m_file->model, chosen, machine->devices, {});
        for (const std::string &step : fit.steps)
            notes << toQString(step);
        chosen = fit.settings;
    }
    const LlamaSplit split = splitModel(*m_file->model, chosen, machine->devices);
    std::vector<SegmentBar> bars;
    for (std::size_t i = 0; i < split.devices.size(); ++i)
        bars.push_back(deviceBar(split.devices[i], machine->devices[i].free, unit()));
    bars.push_back(deviceBar(split.host, machine->host, unit()));
    m_devices->setUnit(unit());
    m_devices->setBars(std::move(bars));
    m_flags = toQString(llamaFlags(chosen));
    notes.prepend(m_flags.isEmpty() ? u"llama.cpp by default"_s : u"llama.cpp "_s + m_flags);
    notes << u"Model and cache are exact. Compute buffers are an estimate, and a CUDA context with "
             "the pool of cuBLAS, 300 to 700 MiB, comes on top of each device."_s;
    for (const std::string &note : split.notes)
        notes << toQString(note);
    m_notes->setText(notes.join(u'\n'));
    Q_EMIT statusChanged();
}

void WeightFilePage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    showTypes();
    showCards();
    divide();
}

QString WeightFilePage::statusText() const
{
    return toQString(weightsSummary(m_file->checkpoint));
}

Table WeightFilePage::table(qsizetype) const
{
    Table table;
    table.title = u"Bytes by type and by layer"_s;
    table.columns = {u"Part"_s, u"Bytes"_s};
    const Checkpoint &checkpoint = m_file->checkpoint;
    if (checkpoint.table)
        for (const TypeBytes &each : bytesByType(*checkpoint.table))
            table.rows.push_back(
                {textCell(toQString(each.type.name)), sizeCell(each.bytes, unit())});
    const LayerBytes layers = bytesByLayer(checkpoint.tensors);
    for (const auto &[layer, bytes] : layers.layers)
        table.rows.push_back({textCell(layerName(layer, layer)), sizeCell(bytes, unit())});
    table.rows.push_back({textCell(u"beside the layers"_s), sizeCell(layers.others, unit())});
    return table;
}

QVariantMap WeightFilePage::chosen(const Redaction *) const
{
    if (!m_devices)
        return {};
    return {{u"machine"_s, m_machine->text()},  {u"layers"_s, m_gpuLayers->value()},
            {u"context"_s, m_context->value()}, {u"cache"_s, m_cache->currentIndex()},
            {u"experts"_s, m_experts->value()}, {u"fit"_s, m_fit->isChecked()}};
}

void WeightFilePage::restore(const QVariantMap &chosen)
{
    if (!m_devices || !chosen.contains(u"machine"_s))
        return;
    m_machine->setText(chosen[u"machine"_s].toString());
    m_gpuLayers->setValue(chosen[u"layers"_s].toInt());
    m_context->setValue(chosen[u"context"_s].toInt());
    m_cache->setCurrentIndex(chosen[u"cache"_s].toInt());
    m_experts->setValue(chosen[u"experts"_s].toInt());
    m_fit->setChecked(chosen[u"fit"_s].toBool());
}

} // namespace vramscope
