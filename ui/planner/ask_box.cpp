// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/ask_box.h"

#include "core/ask/asked_kind.h"
#include "core/estimate/estimate.h"
#include "core/exchange/asked_command.h"
#include "core/plan/field.h"
#include "core/print/asked_report.h"
#include "core/settings/plan_edit.h"
#include "ui/jobs/job.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/planner/ask_line.h"
#include "ui/planner/task_bar.h"
#include "ui/planner/word_control.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/support/wrapped_label.h"

#include <QCoreApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QStringView kHint =
    u"What you leave out is assumed, and named. The line takes a file's name or a command, too.";
constexpr std::array<QStringView, 3> kExamples = {
    u"Qwen3 32B Q4_K_M on a 4090",
    u"QLoRA Llama 3.1 8B on a 3090",
    u"How many H100 for DeepSeek R1?",
};
constexpr int kSeekDelay =
    150; ///< milliseconds without a key before what is asked for is looked for

} // namespace

AskBox::AskBox(QWidget *parent)
    : QWidget(parent)
    , m_line(new AskLine)
    , m_answer(new WrappedLabel(QString()))
    , m_control(new WordControl(m_answer))
{
    setLayout(column({m_line, m_answer}, 4));
    m_line->setObjectName(u"ask"_s);
    m_line->setPlaceholderText(u"Qwen3-32B full fine-tune on 8 H100, 8k"_s);
    m_line->setAccessibleName(u"What to plan, in words"_s);
    m_line->setClearButtonEnabled(true);
    m_answer->setObjectName(u"askAnswer"_s);
    m_answer->setProperty("role", u"dim"_s);
    m_answer->setTextFormat(Qt::RichText);
    m_answer->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_line->setToolTip(u"Words, the name of a file, or settings of another tool (Ctrl+L)"_s);
    tell();
    setFocusProxy(m_line);
    connect(new QShortcut(Qt::CTRL | Qt::Key_L, this), &QShortcut::activated, this, [this] {
        m_line->setFocus(Qt::ShortcutFocusReason);
        m_line->selectAll();
    });
    m_wait.setSingleShot(true);
    m_wait.setInterval(kSeekDelay);
    connect(&m_wait, &QTimer::timeout, this, &AskBox::seek);
    connect(m_line, &QLineEdit::textChanged, this, &AskBox::read);
    connect(m_line, &AskLine::submitted, this, &AskBox::submit);
    connect(m_answer, &QLabel::linkActivated, this, &AskBox::follow);
    connect(m_control, &WordControl::edited, this,
            [this](const Field &field, const FieldValue &value) {
                if (!m_asked.plan) // the line has changed under the control
                    return;
                if (const Result<Plan> plan = editedPlan(*m_asked.plan, field, value); plan)
                    set(field.path, *plan);
            });
    connect(m_control, &WordControl::taskChosen, this, [this](Task task) {
        if (!m_asked.plan)
            return;
        if (const Result<Plan> plan = withTask(*m_asked.plan, task); plan)
            set("workload", *plan);
    });
}

AskBox::~AskBox() = default;

void AskBox::setProminent()
{
    constexpr int kHeight = 56;
    constexpr int kGap = 8;
    constexpr int kAnswerHeight = 84; // what is below stays where it is while one types
    m_go = new QPushButton(u"Import ↵"_s);
    m_go->setProperty("role", u"primary"_s);
    m_go->setFont(typeFont(Type::Lead));
    m_go->setCursor(Qt::ArrowCursor);
    m_go->setFixedSize(m_go->sizeHint().width(), kHeight - 2 * kGap);
    connect(m_go, &QPushButton::clicked, this, &AskBox::submit);
    m_line->setLayout(row({EmptyRoom(), m_go}, 0, {0, 0, kGap, 0}));
    m_line->setProperty("role", u"ask"_s);
    m_line->setFont(typeFont(Type::Lead));
    m_line->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_line->setMaximumHeight(kHeight);
    m_line->setClearButtonEnabled(false); // it would lie under the other
    m_line->setTextMargins(0, 0, m_go->width() + kGap, 0);
    m_answer->setMinimumHeight(kAnswerHeight);
    m_answer->setAlignment(Qt::AlignTop);
    QHBoxLayout *large = row({m_line});
    large->addStrut(kHeight); // the style sheet has its own idea of the least height of a field
    auto *parts = static_cast<QVBoxLayout *>(layout());
    parts->insertLayout(0, large);
    parts->setSpacing(kGap);
    m_examples = makeExamples();
    parts->addLayout(m_examples);
    tell();
}

QHBoxLayout *AskBox::makeExamples()
{
    QHBoxLayout *examples = row({noteLabel(u"Try"_s)}, 8);
    for (const QStringView text : kExamples) {
        auto *button = new QPushButton(text.toString());
        button->setAccessibleName(button->text());
        connect(button, &QPushButton::clicked, this, [this, button] {
            m_line->setText(button->text());
            m_line->setFocus(Qt::OtherFocusReason);
        });
        button->setMinimumWidth(1);
        examples->addWidget(button);
    }
    examples->addStretch(1);
    return examples;
}

// In a narrow window the last example makes room.
void AskBox::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (!m_examples)
        return;
    QWidget *last = m_examples->itemAt(int(kExamples.size()))->widget();
    int needed = last->sizeHint().width();
    for (int at = 0; at < int(kExamples.size()); ++at)
        needed += m_examples->itemAt(at)->sizeHint().width() + m_examples->spacing();
    last->setVisible(needed <= width());
}

void AskBox::type(QKeyEvent *key)
{
    m_line->setFocus(Qt::OtherFocusReason);
    QCoreApplication::sendEvent(m_line, key);
}

void AskBox::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        tell(); // its colours stand in the text
}

void AskBox::setOpenPlan(const Plan &plan)
{
    m_open = plan;
    m_line->setPlaceholderText(u"Describe a change: LoRA, 4 H200, 16k tokens, another model"_s);
    m_line->setAccessibleName(u"What to change, in words"_s);
    read();
}

void AskBox::read()
{
    const std::string text = m_line->text().trimmed().toStdString();
    m_asked = text.empty() ? Asked() : m_open ? reworded(text, *m_open) : understand(text);
    if (!m_open && (m_asked.kind == AskedKind::CommandLine || holdsCommand(text))) {
        Result<AskedCommand> command = askedCommand(text);
        const CommandPlace place = commandIn(text);
        if (command && (!command->imported || place.begin > 0 || place.end < text.size()))
            m_asked = std::move(command->asked); // else Enter imports it, and says what it left out
    }
    m_set.clear(); // the line is what is asked
    seekAnew();
    tell();
}

void AskBox::seekAnew()
{
    m_job.reset();
    m_found.reset();
    m_whyNotFound.clear();
    if (m_asked.sought)
        m_wait.start();
    else
        m_wait.stop();
}

void AskBox::tell()
{
    const bool isEmpty = m_line->text().trimmed().isEmpty();
    m_answer->setVisible(!isEmpty || !m_open);
    m_answer->setText(isEmpty ? kHint.toString() : answerHtml());
    if (!m_go)
        return;
    m_go->setAccessibleName(isEmpty || m_asked.kind == AskedKind::Words ? u"Plan"_s
                            : m_asked.kind == AskedKind::Path           ? u"Open"_s
                                                                        : u"Import"_s);
    m_go->setText(m_go->accessibleName() + u" ↵"_s);
}

void AskBox::set(FieldPath path, const Plan &plan)
{
    m_asked.plan = plan;
    m_set.push_back(path);
    m_control->showPlan(plan);
    seekAnew(); // what was found was of the plan before
    tell();
}

void AskBox::seek()
{
    if (!m_asked.sought || !m_asked.plan)
        return;
    m_job = std::make_unique<Job>(
        [asked = m_asked](const Progress &progress) { return soughtOf(asked, progress); },
        [this](const Result<SoughtAnswer> &found) { takeFound(found); });
}

void AskBox::takeFound(const Result<SoughtAnswer> &found)
{
    if (found)
        m_found = *found;
    else
        m_whyNotFound = toQString(found.error().detail);
    tell();
}

void AskBox::follow(const QString &link)
{
    if (const Field *field = wordOf(link); field && m_asked.plan)
        return m_control->open(*m_asked.plan, *field, ByteUnit::Binary);
    if (link.startsWith(kVersionLink)) {
        const auto at = link.sliced(kVersionLink.size()).toULongLong();
        if (at < m_asked.versions.size())
            Q_EMIT planWanted(Plan(m_asked.versions[at].plan));
        return;
    }
    if (!link.startsWith(kModelLink))
        return;
    // The words that named several models give way to the name of one.
    QByteArray text = m_line->text().trimmed().toUtf8();
    QByteArray name = link.sliced(kModelLink.size()).toUtf8();
    qsizetype place = -1;
    for (auto piece = m_asked.pieces.rbegin(); piece != m_asked.pieces.rend(); ++piece) {
        const bool isModel =
            std::ranges::find(piece->fields, FieldPath("model.preset")) != piece->fields.end() ||
            std::ranges::find(piece->fields, FieldPath("model.pipeline")) != piece->fields.end();
        if (!isModel || piece->end == 0)
            continue;
        place = static_cast<qsizetype>(piece->begin);
        text.remove(place, static_cast<qsizetype>(piece->end - piece->begin));
    }
    if (place >= 0)
        text.insert(place, name);
    m_line->setText(QString::fromUtf8(text).simplified());
}

void AskBox::submit()
{
    const QString text = m_line->text().trimmed();
    if (text.isEmpty())
        return;
    if (m_asked.kind == AskedKind::Path)
        Q_EMIT documentWanted(text);
    else if (m_asked.kind != AskedKind::Words)
        Q_EMIT settingsWanted(m_line->text());
    else if (m_asked.understood()) {
        if (m_asked.sought && !m_found) { // Enter came before the answer
            seekAnew();
            m_wait.stop();
            takeFound(soughtOf(m_asked));
        }
        if (m_asked.sought && !m_found)
            return; // the line says why
        const Plan plan = m_found ? m_found->plan : *m_asked.plan;
        if (m_open)
            m_line->clear();
        Q_EMIT planWanted(plan);
    }
}

} // namespace vramscope
