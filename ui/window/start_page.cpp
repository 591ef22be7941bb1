// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start_page.h"

#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/plan/plan_json.h"
#include "core/validation/first_sight.h"
#include "core/validation/shipped.h"
#include "ui/offscreen/examples.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/planner/ask_box.h"
#include "ui/support/help_link.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/support/verdict_color.h"
#include "ui/window/commands.h"
#include "ui/window/preferences.h"
#include "ui/window/row_button.h"

#include <QEvent>
#include <QFile>
#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kContentWidth = kPageTextWidth + 2 * RowButton::kInset;
constexpr int kContentHeight = 544;
constexpr QMargins kSides{RowButton::kInset, 0, RowButton::kInset, 0};
constexpr qsizetype kShownRecentFiles = 4;

/// Where a document comes from.
struct Way
{
    QStringView icon;
    QStringView title;
    QStringView detail;
    Command command;
    QStringView tip;
};

// clang-format off
constexpr Way kWays[] = {
    {u"trace", u"A recording", u"snapshot, profiler, Nsight", Command::Open,
     u"A PyTorch memory snapshot in any of its forms, a profiler trace, an export of Nsight Systems, a log of nvidia-smi or of a serving engine."},
    {u"open", u"A folder of ranks", u"who failed first", Command::OpenRanks,
     u"The recordings of a run's ranks, compared with each other."},
    {u"report", u"Another tool's settings", u"config.json, vLLM", Command::ImportSettings,
     u"A Hugging Face config.json, a checkpoint, a DeepSpeed JSON, a torchtitan TOML, an axolotl YAML, arguments of Megatron-LM, transformers' Trainer, vLLM, SGLang, llama.cpp or TensorRT-LLM, or overrides of verl."},
    {u"plus", u"A new plan", u"every field by hand", Command::NewPlan,
     u"Begins with a small model on one GPU; every field can be changed."},
};

/// The examples of a first start; a pair of them follows.
constexpr QStringView kFirstExamples[] = {
    u"llama-70b-8xh200.vramplan",
    u"llama-70b-serving-2xh200.vramplan",
    u"training-out-of-memory.pickle",
};
// clang-format on

std::optional<Verdict> verdictOfPlan(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const Result<Plan> plan = parsePlan(file.readAll().toStdString());
    return plan ? verdictOf(estimate(*plan)) : std::nullopt;
}

/// The title of a list, with links at its right.
QHBoxLayout *listHead(std::initializer_list<LaidOut> parts)
{
    constexpr QMargins kAround{RowButton::kInset, 0, RowButton::kInset - 2, 8};
    QHBoxLayout *head = row(parts, 16, kAround);
    head->insertStretch(1);
    return head;
}

QPushButton *menuLink(const QString &text)
{
    QPushButton *link = linkButton(text + u" ▾"_s);
    link->setAccessibleName(text);
    link->setFont(typeFont(Type::Small));
    return link;
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QScrollArea(parent)
    , m_ask(new AskBox)
    , m_page(new QFrame)
    , m_title(sectionLabel())
    , m_allRecent(menuLink(u"All recent files"_s))
    , m_allExamples(menuLink(u"All examples"_s))
    , m_listed(column({}))
    , m_trust(makeTrust())
{
    m_ask->setProminent();
    connect(m_ask, &AskBox::planWanted, this, &StartPage::planWanted);
    connect(m_ask, &AskBox::documentWanted, this, &StartPage::documentWanted);
    connect(m_ask, &AskBox::settingsWanted, this, &StartPage::settingsWanted);
    auto *question = new QLabel(u"Will it fit?"_s);
    setBold(*question, Type::Hero);
    QLabel *takes = textLabel(u"Name a model, a task and GPUs. Or drop a recording, a log or a "
                              u"config.json anywhere in the window."_s,
                              u"dim"_s);
    takes->setFont(typeFont(Type::Lead));
    QVBoxLayout *asking = column({question, Gap{4}, takes, Gap{20}, m_ask}, 0, kSides);
    QHBoxLayout *lists = row({{makeOpening(), 1}, {makeListed(), 1}}, 16);
    QWidget *content = panel(column({asking, Gap{28}, lists, Gap{24}, m_trust, EmptyRoom{}}));
    content->setMinimumHeight(kContentHeight); // the line stays where it is while one types
    m_page->setLayout(centred(content, kContentWidth));
    setWidget(m_page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // its rows take it
    setRecentFiles({});
}

QVBoxLayout *StartPage::makeOpening()
{
    QPushButton *record = linkButton(u"How to record"_s);
    record->setAccessibleName(record->text());
    record->setFont(typeFont(Type::Small));
    connect(record, &QPushButton::clicked, this, [record] { askForHelp(record, u"recording"_s); });
    QVBoxLayout *rows = column({listHead({sectionLabel(u"Open"_s), record})});
    for (const Way &way : kWays) {
        auto *button =
            new RowButton(way.icon.toString(), way.title.toString(), way.detail.toString());
        button->setEnd(keyText(way.command));
        button->setToolTip(way.tip.toString());
        connect(button, &RowButton::clicked, this,
                [this, command = way.command] { Q_EMIT commandWanted(command); });
        rows->addWidget(button);
    }
    return rows;
}

QVBoxLayout *StartPage::makeListed()
{
    return column({listHead({m_title, m_allRecent, m_allExamples}), m_listed, EmptyRoom{}});
}

QLabel *StartPage::makeTrust()
{
    auto *label = new QLabel;
    label->setProperty("role", u"dim"_s);
    label->setFont(typeFont(Type::Small));
    label->setObjectName(u"accuracy"_s);
    label->setWordWrap(true);
    label->setContentsMargins(kSides);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->setToolTip(u"A recording is shown as it is, to the byte; a plan is an estimate. First "
                      "sight: the figure that VRAMscope gave before anybody adjusted a formula to "
                      "the run."_s);
    connect(label, &QLabel::linkActivated, this, [this] { Q_EMIT documentWanted(trustPath()); });
    return label;
}

void StartPage::setMenus(QMenu *recent, QMenu *examples)
{
    for (const auto &[link, menu] :
         {std::pair(m_allRecent, recent), std::pair(m_allExamples, examples)})
        connect(link, &QPushButton::clicked, menu, [link = link, menu = menu] {
            menu->popup(link->mapToGlobal(link->rect().bottomLeft()));
        });
}

void StartPage::listExamples()
{
    const auto add = [this](const QString &icon, const QString &title) {
        auto *button = new RowButton(icon, title, {});
        m_listed->addWidget(button);
        return button;
    };
    for (const QStringView name : kFirstExamples) {
        const QString path = u":/examples/"_s + name.toString();
        const bool isPlan = path.endsWith(u".vramplan");
        RowButton *button = add(isPlan ? u"plan"_s : u"trace"_s, documentTitle(path));
        const auto verdict = isPlan ? verdictOfPlan(path) : std::nullopt;
        button->setEnd(verdict ? verdictText(*verdict) : u"recording"_s, verdict);
        connect(button, &RowButton::clicked, this, [this, path] { Q_EMIT documentWanted(path); });
    }
    const ExamplePair &pair = examplePairs().front();
    RowButton *button = add(u"trace"_s, pair.title);
    button->setEnd(u"comparison"_s);
    connect(button, &RowButton::clicked, this,
            [this, pair] { Q_EMIT pairWanted(pair.first, pair.second); });
}

void StartPage::setRecentFiles(const QStringList &files)
{
    clear(*m_listed);
    m_title->setText(files.isEmpty() ? u"Examples"_s : u"Recent"_s);
    m_allRecent->setVisible(files.size() > kShownRecentFiles);
    if (files.isEmpty())
        listExamples();
    for (const RecentFile &file :
         describeRecentFiles(files.first(std::min(files.size(), kShownRecentFiles)))) {
        auto *button = new RowButton(file.name.endsWith(u".vramplan") ? u"plan"_s : u"trace"_s,
                                     file.name, file.exists ? file.folder : u"no longer there"_s);
        button->setEnabled(file.exists);
        button->setToolTip(file.exists ? file.path : u"%1\nis no longer there"_s.arg(file.path));
        connect(button, &RowButton::clicked, this,
                [this, path = file.path] { Q_EMIT documentWanted(path); });
        m_listed->addWidget(button);
    }
    takeTheme();
}

void StartPage::setDropActive(bool active)
{
    m_page->setProperty("active", active);
    setRole(*m_page, active ? u"dropzone"_s : QString());
}

void StartPage::showEvent(QShowEvent *event)
{
    QScrollArea::showEvent(event);
    m_ask->setFocus(Qt::OtherFocusReason);
}

// What no row of the page has taken is typed into the line.
void StartPage::keyPressEvent(QKeyEvent *event)
{
    const bool isText = !event->text().isEmpty() && event->text().front().isPrint() &&
                        !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    if (!isText)
        return QScrollArea::keyPressEvent(event);
    m_ask->type(event);
}

void StartPage::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        takeTheme();
}

void StartPage::takeTheme()
{
    static const QString accuracy = toQString(firstSightText(shippedRows()));
    // A number stays on the line of its unit.
    m_trust->setText(u"Offline; no file is changed. %1 <a style=\"color:%2;text-decoration:none\" "
                     u"href=\"#\">How far to "
                     u"trust it</a>"_s.arg(accuracy.toHtmlEscaped().replace(u" %"_s, u"&nbsp;%"_s),
                                           themeOf(this).accent.name()));
}

} // namespace vramscope
