// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/text_controls.h"

#include "core/settings/field_text.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/support/tip_html.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextDocument>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

void fillControl(QWidget *control, QWidget *box, const Field &field)
{
    control->setLayout(row({{box, 1}}, kStyleSpacing));
    box->setFixedHeight(kBoxHeight);
    box->setAccessibleName(toQString(field.label));
    control->setFocusProxy(box);
}

/// What an object of the document is called where it is shown and written.
struct ObjectWords
{
    QString toolTip, title, accessible, placeholder, help;
    QString stated; ///< with its number of keys
};

ObjectWords wordsOf(const Field &field)
{
    if (field.path == "model.checkpoint")
        return {u"Drop the folder of a checkpoint on the page, or import it"_s,
                u"The table of a checkpoint"_s,
                u"Text of the table"_s,
                u"{ \"files\": 1, … }"_s,
                u"The tensors of the model's files, as an import of their folder writes them. An "
                "empty text takes the table away."_s,
                u"a table…"_s};
    return {u"Drop a config.json on the page, paste one, or write it here"_s,
            u"The model's config.json"_s,
            u"Text of the config.json"_s,
            u"{ \"hidden_size\": 4096, … }"_s,
            u"The keys of a Hugging Face config.json. It takes the place of the "
            u"preset; an empty text takes it away."_s,
            u"own, %1 keys…"_s};
}

QString indented(const std::string &json)
{
    return QString::fromUtf8(
        QJsonDocument::fromJson(QByteArray::fromStdString(json)).toJson(QJsonDocument::Indented));
}

} // namespace

TextControl::TextControl(const Field &field, QWidget *parent)
    : FieldControl(parent)
    , m_box(new QLineEdit(this))
{
    fillControl(this, m_box, field);
    connect(m_box, &QLineEdit::textEdited, this, [this](const QString &text) {
        Q_EMIT edited(text.isEmpty() ? FieldValue() : FieldValue(text.toStdString()));
    });
    connect(m_box, &QLineEdit::editingFinished, this, &FieldControl::gestureEnded);
}

void TextControl::showValue(const FieldValue &stated, const FieldValue &)
{
    const auto *value = std::get_if<std::string>(&stated);
    const QString text = value ? toQString(*value) : QString();
    if (m_box->text() == text)
        return; // the cursor stays where it is
    m_box->setText(text);
    m_box->setCursorPosition(0);
}

void TextControl::setState(BoxState state)
{
    setBoxLook(m_box, state, false);
}

TextsControl::TextsControl(const Field &field, QWidget *parent)
    : FieldControl(parent)
    , m_box(new QLineEdit(this))
{
    fillControl(this, m_box, field);
    connect(m_box, &QLineEdit::textEdited, this, &TextsControl::take);
    connect(m_box, &QLineEdit::editingFinished, this, &FieldControl::gestureEnded);
}

void TextsControl::showValue(const FieldValue &stated, const FieldValue &)
{
    if (m_box->hasFocus() && m_box->isModified())
        return; // what the user writes stands
    QStringList texts;
    if (const auto *list = std::get_if<TextList>(&stated)) {
        for (const std::string &text : *list)
            texts.append(toQString(text));
    }
    m_box->setText(texts.join(u"; "_s));
    m_box->setCursorPosition(0);
    const QString all = texts.join(u'\n');
    m_box->setToolTip(Qt::mightBeRichText(all) ? tipHtml(all) : all);
}

void TextsControl::setState(BoxState state)
{
    setBoxLook(m_box, state, false);
}

void TextsControl::take(const QString &text)
{
    TextList texts;
    for (const QString &each : text.split(u';', Qt::SkipEmptyParts)) {
        if (const QString trimmed = each.trimmed(); !trimmed.isEmpty())
            texts.push_back(trimmed.toStdString());
    }
    Q_EMIT edited(texts.empty() ? FieldValue() : FieldValue(texts));
}

CountsControl::CountsControl(const Field &field, QWidget *parent)
    : FieldControl(parent)
    , m_field(field)
    , m_box(new QLineEdit(this))
{
    fillControl(this, m_box, field);
    connect(m_box, &QLineEdit::textEdited, this, &CountsControl::take);
    connect(m_box, &QLineEdit::editingFinished, this, &FieldControl::gestureEnded);
}

void CountsControl::showValue(const FieldValue &stated, const FieldValue &effective)
{
    m_stated = stated;
    if (m_box->hasFocus() && m_box->isModified())
        return; // what the user writes stands
    m_before = stated;
    const bool isDefault = !isStated(stated);
    QStringList numbers;
    if (const auto *list = std::get_if<CountList>(isDefault ? &effective : &stated)) {
        for (const std::int64_t count : *list)
            numbers.append(QString::number(count));
    }
    const QString text = numbers.join(u", "_s);
    m_box->setText(isDefault ? QString() : text);
    m_box->setCursorPosition(0); // long lists show their beginning
    m_box->setPlaceholderText(text);
    m_box->setToolTip(text);
}

void CountsControl::setState(BoxState state)
{
    setBoxLook(m_box, state, false);
}

void CountsControl::take(const QString &text)
{
    QString list = text.trimmed();
    while (list.endsWith(u',') || list.endsWith(u' '))
        list.chop(1); // the next is still to come
    const FieldValue value =
        list.isEmpty() ? FieldValue() : writtenValue(m_field, list.toStdString());
    // A list that cannot be read sets nothing, nor does its beginning.
    if (std::holds_alternative<std::string>(value) && m_stated != m_before)
        Q_EMIT edited(m_before);
    Q_EMIT edited(value);
}

ConfigControl::ConfigControl(const Field &field, QWidget *parent)
    : FieldControl(parent)
    , m_field(field)
    , m_button(new QPushButton(this))
{
    fillControl(this, m_button, field);
    m_button->setProperty("role", u"choices"_s);
    m_button->setToolTip(wordsOf(field).toolTip);
    connect(m_button, &QPushButton::clicked, this, &ConfigControl::openEditor);
}

void ConfigControl::showValue(const FieldValue &stated, const FieldValue &)
{
    const auto *json = std::get_if<std::string>(&stated);
    if (json && *json == m_config && !m_button->text().isEmpty())
        return;
    m_config = json ? *json : std::string();
    const auto keys = QJsonDocument::fromJson(QByteArray::fromStdString(m_config)).object().size();
    const QString words = wordsOf(m_field).stated;
    const QString shown = words.contains(u"%1"_s) ? words.arg(keys) : words;
    m_button->setText(json ? shown : u"none…"_s);
}

void ConfigControl::setState(BoxState state)
{
    setBoxLook(m_button, state, false);
}

void ConfigControl::openEditor()
{
    auto *dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const ObjectWords words = wordsOf(m_field);
    dialog->setWindowTitle(words.title);
    auto *editor = new QPlainTextEdit(indented(m_config));
    editor->setFont(monospaceFont());
    editor->setAccessibleName(words.accessible);
    editor->setPlaceholderText(words.placeholder);
    auto *trouble = new QLabel;
    trouble->setTextFormat(Qt::PlainText);
    trouble->setWordWrap(true);
    trouble->setProperty("role", u"bad"_s);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto *layout = new QVBoxLayout(dialog);
    layout->addWidget(dimLabel(words.help));
    layout->addWidget(editor, 1);
    layout->addWidget(trouble);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, dialog, [this, dialog, editor, trouble] {
        const std::string text = editor->toPlainText().trimmed().toStdString();
        const FieldValue value = text.empty() ? FieldValue() : FieldValue(text);
        if (const auto checked = isStated(value) ? checkValue(m_field, value) : Result<void>();
            !checked)
            return trouble->setText(toQString(checked.error().detail));
        Q_EMIT edited(value);
        Q_EMIT gestureEnded();
        dialog->accept();
    });
    dialog->resize(560, 520);
    dialog->open();
}

} // namespace vramscope
