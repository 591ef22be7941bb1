// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/export_dialog.h"

#include "ui/planner/look.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct Format
{
    QStringView title;
    QStringView file;
};
constexpr std::array<Format, kExportFormats.size()> kFormats = {{
    {u"Hugging Face config.json", u"config.json"},
    {u"DeepSpeed JSON", u"ds_config.json"},
    {u"torchtitan TOML", u"train.toml"},
    {u"Megatron-LM arguments", u"megatron.sh"},
    {u"vLLM arguments", u"vllm.sh"},
    {u"accelerate config YAML", u"accelerate.yaml"},
    {u"Hugging Face TrainingArguments YAML", u"training.yaml"},
    {u"TRL YAML", u"sft.yaml"},
    {u"axolotl YAML", u"axolotl.yaml"},
    {u"LLaMA-Factory YAML", u"llama_factory.yaml"},
}};

QPlainTextEdit *reader(const QString &name)
{
    auto *box = new QPlainTextEdit;
    box->setReadOnly(true);
    box->setAccessibleName(name);
    return box;
}

} // namespace

ExportDialog::ExportDialog(Plan plan, QWidget *parent)
    : QDialog(parent)
    , m_plan(std::move(plan))
    , m_formats(new QComboBox)
    , m_text(reader(u"The exported text"_s))
    , m_notesTitle(headingLabel({}))
    , m_notes(reader(u"What gets lost"_s))
{
    setWindowTitle(u"Export the plan"_s);
    for (const Format &format : kFormats)
        m_formats->addItem(format.title.toString());
    m_formats->setAccessibleName(u"Format"_s);
    m_text->setFont(monospaceFont());
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_copy = buttons->addButton(u"&Copy"_s, QDialogButtonBox::ActionRole);
    m_save = buttons->addButton(u"&Save…"_s, QDialogButtonBox::ActionRole);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_formats);
    layout->addWidget(m_text, 3);
    layout->addWidget(m_notesTitle);
    layout->addWidget(m_notes, 1);
    layout->addWidget(buttons);
    connect(m_formats, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(m_save, &QPushButton::clicked, this, [this] {
        const auto format = static_cast<std::size_t>(m_formats->currentIndex());
        Q_EMIT saveWanted(text(), kFormats[format].file.toString());
    });
    resize(680, 620);
    setFormat(m_plan.workload == Workload::Inference ? ExportFormat::Vllm : ExportFormat::HfConfig);
    refresh();
}

void ExportDialog::setFormat(ExportFormat format)
{
    m_formats->setCurrentIndex(static_cast<int>(format));
}

QString ExportDialog::text() const
{
    return m_text->toPlainText();
}

QString ExportDialog::notesText() const
{
    return m_notes->toPlainText();
}

void ExportDialog::refresh()
{
    const auto exported = exportPlan(m_plan, static_cast<ExportFormat>(m_formats->currentIndex()));
    m_copy->setEnabled(exported.ok());
    m_save->setEnabled(exported.ok());
    m_text->setPlainText(exported ? toQString(exported->text) : QString());
    QStringList notes;
    if (!exported) {
        notes += toQString(exported.error().text());
    } else {
        for (const ImportNote &note : exported->notes)
            notes += note.place.empty()
                         ? toQString(note.text)
                         : u"%1: %2"_s.arg(toQString(note.place), toQString(note.text));
    }
    m_notesTitle->setText(!exported ? u"Not in this format"_s
                          : notes.isEmpty()
                              ? u"Nothing gets lost"_s
                              : u"What this format cannot say (%1)"_s.arg(notes.size()));
    m_notes->setPlainText(notes.join(u'\n'));
    m_notes->setVisible(!notes.isEmpty());
}

} // namespace vramscope
