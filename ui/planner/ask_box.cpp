// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/ask_box.h"

#include "core/ask/asked_kind.h"
#include "core/catalog/catalogue.h"
#include "core/estimate/estimate.h"
#include "core/exchange/asked_command.h"
#include "core/plan/field.h"
#include "core/print/asked_report.h"
#include "core/print/plan_report.h"
#include "core/settings/job_text.h"
#include "ui/jobs/job.h"
#include "ui/page/layout.h"
#include "ui/planner/ask_line.h"
#include "ui/planner/field_text.h"
#include "ui/planner/plan_edit.h"
#include "ui/planner/task_bar.h"
#include "ui/planner/word_control.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/support/verdict_color.h"
#include "ui/support/wrapped_label.h"

#include <QEvent>
#include <QLabel>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr QStringView kHint =
    u"A model, a task and GPUs make a plan. What you leave out is assumed, and named.";
constexpr QStringView kModelLink = u"model:";
constexpr QStringView kExampleLink = u"example:";
constexpr std::array<QStringView, 3> kExamples = {
    u"Qwen3 32B Q4_K_M on a 24 GB card",
    u"QLoRA of Llama 3.1 8B with Unsloth on a 4090, 4k",
    u"How many H100 to serve DeepSeek V3.2 at 32k?",
};
constexpr QStringView kVersionLink = u"version:";
constexpr int kSeekDelay =
    150; ///< milliseconds without a key before what is asked for is looked for
constexpr std::size_t kMostCandidates = 8;

/// The models that may be meant, each a link that says so in the line.
QString candidatesHtml(const Asked &asked, const Theme &theme)
{
    QStringList links;
    for (std::size_t at = 0; at < std::min(asked.candidates.size(), kMostCandidates); ++at) {
        const CatalogueModel *model = findCatalogueModel(asked.candidates[at]);
        links += u"<a style=\"color:%1\" href=\"%2%3\">%4</a>"_s.arg(
            theme.accent.name(), kModelLink, toQString(asked.candidates[at]),
            toQString(model ? model->title : asked.candidates[at]).toHtmlEscaped());
    }
    return links.join(u" · "_s);
}

} // namespace

AskBox::AskBox(QWidget *parent)
    : QWidget(parent)
    , m_line(new AskLine)
    , m_answer(new WrappedLabel(QString()))
    , m_control(new WordControl(m_answer))
{
    setLayout(column({m_line, m_answer}, 4));
    m_line->setObjectName(u"ask"_s);
    m_line->setPlaceholderText(u"Say what to plan: Qwen3-32B full fine-tune on 8 H100, 8k"_s);
    m_line->setAccessibleName(u"What to plan, in words"_s);
    m_line->setClearButtonEnabled(true);
    m_answer->setObjectName(u"askAnswer"_s);
    m_answer->setProperty("role", u"dim"_s);
    m_answer->setTextFormat(Qt::RichText);
    m_answer->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_answer->setText(hintHtml());
    m_line->setToolTip(u"Words, the name of a file, or settings of another tool (Ctrl+L)"_s);
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
    constexpr double kLarger = 1.5;
    constexpr double kLargerAnswer = 1.15;
    constexpr int kHeight = 46;
    constexpr int kGap = 8;
    m_line->setProperty("role", u"ask"_s);
    QFont large = m_line->font();
    large.setPointSizeF(kLarger * large.pointSizeF());
    m_line->setFont(large);
    m_line->setMinimumHeight(kHeight);
    QFont answer = m_answer->font();
    answer.setPointSizeF(kLargerAnswer * answer.pointSizeF());
    m_answer->setFont(answer);
    layout()->setSpacing(kGap);
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
    if (m_asked.kind == AskedKind::CommandLine && !m_open) {
        Result<AskedCommand> command = askedCommand(text);
        if (command && (!command->imported || commandEnd(text) < text.size()))
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
    m_answer->setText(isEmpty ? hintHtml() : answerHtml());
}

QString AskBox::hintHtml() const
{
    const QString color = themeOf(this).accent.name();
    QStringList links;
    for (const QStringView example : kExamples)
        links += u"<a style=\"color:%1;text-decoration:none\" href=\"%2%3\">%3</a>"_s.arg(
            color, kExampleLink, example);
    return kHint.toString() + u"<br>Try: "_s + links.join(u" &nbsp;·&nbsp; "_s);
}

void AskBox::set(FieldPath path, const Plan &plan)
{
    m_asked.plan = plan;
    m_set.push_back(path);
    m_control->showPlan(plan);
    seekAnew(); // what was found was of the plan before
    tell();
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
    const Theme &theme = themeOf(this);
    if (!m_asked.understood()) {
        const QString refusal = toQString(askedRefusal(m_asked)).toHtmlEscaped();
        return m_asked.candidates.empty() ? refusal
                                          : refusal + u"<br>"_s + candidatesHtml(m_asked, theme);
    }
    const Plan &plan = m_found ? m_found->plan : *m_asked.plan;
    const Estimate estimate = vramscope::estimate(plan);
    const QString job = toQString(jobText(plan, *estimate.settings));
    const QString answer =
        toQString(answerLine(plan, estimate)); // begins with the job, if computed
    QString html =
        jobHtml(plan, *estimate.settings, theme) +
        u"<span style=\"color:%1\">%2</span>"_s.arg(
            verdictColor(verdictOf(estimate), theme, theme.text).name(),
            (estimate.computed ? answer.sliced(job.size()) : u". "_s + answer).toHtmlEscaped());
    html += piecesHtml(plan, *estimate.settings);
    QStringList notes{toQString(askedPassedOver(m_asked))};
    for (const std::string &remark : m_asked.remarks)
        notes << toQString(remark);
    if (const QString text = notes.join(u' ').trimmed(); !text.isEmpty())
        html +=
            u" <span style=\"color:%1\">%2</span>"_s.arg(theme.warn.name(), text.toHtmlEscaped());
    if (!m_asked.candidates.empty())
        html += u"<br>It may be another model: "_s + candidatesHtml(m_asked, theme);
    const QString sought = soughtHtml();
    return (sought.isEmpty() ? sought : sought + u"<br>"_s) + html + versionsHtml();
}

/// What was said beside the job, what a control has set since, and what is assumed: each a control.
QString AskBox::piecesHtml(const Plan &plan, const Settings &settings) const
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
    QStringList said;
    QStringList chosen;
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
        (isSet                             ? chosen
         : state == AskedState::Understood ? said
                                           : assumed) += wordHtml(path, word, theme);
    };
    for (const AskedPiece &piece : m_asked.pieces)
        if (piece.state == AskedState::Understood || piece.state == AskedState::Assumed)
            for (const FieldPath path : piece.fields)
                add(path, piece.state, piece.meaning);
    QString html;
    for (const auto &[head, words] :
         {std::pair(u" Understood: "_s, said), std::pair(u" Set: "_s, chosen),
          std::pair(u" Assumed: "_s, assumed)})
        if (!words.isEmpty())
            html += head + words.join(u", "_s) + u'.';
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
        const std::optional<Verdict> verdict = verdictOf(estimate(version.plan));
        const QString stands =
            verdict ? u" <span style=\"color:%1\">%2</span>"_s.arg(
                          verdictColor(verdict, theme, theme.text).name(), verdictText(*verdict))
                    : QString();
        links += u"<a style=\"color:%1;text-decoration:none\" href=\"%2%3\">%4</a>%5"_s.arg(
            theme.accent.name(), kVersionLink, QString::number(at),
            toQString(version.title).toHtmlEscaped(), stands);
    }
    return links.isEmpty() ? QString() : u"<br>Or: "_s + links.join(u" · "_s);
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
    if (link.startsWith(kExampleLink)) {
        m_line->setText(link.sliced(kExampleLink.size()));
        return m_line->setFocus(Qt::OtherFocusReason);
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
