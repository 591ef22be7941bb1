// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_page.h"

#include "core/print/cells.h"
#include "core/profile/profile_findings.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/bookmarks/bookmark_panel.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/profile/event_panel.h"
#include "ui/profile/profile_items.h"
#include "ui/profile/profile_table_parts.h"
#include "ui/profile/profile_tables_view.h"
#include "ui/profile/profile_text.h"
#include "ui/profile/profile_timeline.h"
#include "ui/profile/rules_dialog.h"
#include "ui/support/text.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTimer>

#include <algorithm>
#include <span>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTypingRest = 250; // ms after the last key
// What the bar is about, of the items of its box; a step stands by its index.
constexpr int kWhole = -1;
constexpr int kChosen = -2;
constexpr int kCompleteSteps = -3;
constexpr std::size_t kMostBars = 8; // more scroll
constexpr int kBarsHeight = 220;

ProfileQuery ofPart(BarPart part)
{
    ProfileQuery query;
    query.part = part;
    return query;
}

QString gpuName(std::int64_t device)
{
    return u"GPU %1"_s.arg(device);
}

/// Whether several processes with GPUs of their own were recorded.
bool holdsRanks(const ProfileDocument &document)
{
    const std::span<const ProfileThread> threads = document.profile->threads();
    const auto isOther = [&](const ProfileThread &thread) {
        return thread.process != threads.front().process;
    };
    return document.devices.size() > 1 && std::ranges::any_of(threads, isOther);
}

} // namespace

ProfilePage::ProfilePage(std::shared_ptr<const ProfileDocument> document, QWidget *parent,
                         const QString &title, const QString &path)
    : DocumentPage(document, parent)
    , m_document(std::move(document))
    , m_shown{title, path, nullptr, kMainDevice, m_document}
    , m_state(new ProfileState(this))
{
    m_state->reset(static_cast<double>(m_document->end - m_document->origin));
    if (m_document->rows->groups.empty() && m_document->memory.empty()) {
        buildNothing();
        return;
    }
    buildParts();
    connectParts();
    fillWindows();
    if (m_document->devices.empty())
        setTab(ProfileTab::Operators); // the first that has rows
    startTable();
    startFindings();
}

ProfilePage::~ProfilePage() = default;

void ProfilePage::buildNothing()
{
    const bool isCut = m_document->profile->isCut();
    setLayout(column(
        {isCut ? problemsLabel(problemLines(*m_document)) : nullptr,
         explanation(isCut ? u"No event could be read"_s : u"Nothing was recorded"_s,
                     u"This profiler trace holds no operators, no calls and no work of a device. "
                     "Record with torch.profiler.profile(activities=[CPU, CUDA]) and call step() "
                     "of the profiler once an iteration: what a schedule waits for and warms up "
                     "with is not recorded. Nsight Systems records with nsys profile "
                     "--trace=cuda,nvtx."_s)}));
}

QWidget *ProfilePage::overview()
{
    m_window = choiceBox(u"Time range of the bar"_s);
    m_search = searchField(u"Find by name"_s, 30);
    m_foundText = noteLabel();
    m_clear = linkButton(u"Clear filter"_s);
    m_clear->hide();
    const std::int64_t python = m_document->profile->skippedPythonFunctions();
    m_python = linkButton(u"Show "_s + toQString(counted(python, "Python function")));
    m_python->setToolTip(u"Reads the file again with the Python functions that were left out"_s);
    if (python == 0)
        m_python->hide();
    m_ranks = linkButton(u"Compare the GPUs as ranks"_s);
    m_ranks->setToolTip(u"Each GPU with the process that drove it, beside the others: who is late, "
                        "and collectives matched"_s);
    if (!holdsRanks(*m_document))
        m_ranks->hide();
    const bool ownRules = m_document->study->rules() != defaultWorkRules();
    m_rules = linkButton(ownRules ? u"Kernel classes (custom rules)…"_s : u"Classes…"_s);
    m_rules->setToolTip(u"What counts as communication, copy and compute: a table of rules"_s);
    m_bar = new BreakdownBar;

    QLabel *title =
        sectionLabel(m_document->devices.empty() ? u"On the CPU"_s : u"Where the time went"_s);
    QHBoxLayout *top = row(
        {title, m_window, EmptyRoom(), m_ranks, m_rules, m_python, m_foundText, m_clear, m_search},
        10);
    QVBoxLayout *parts = column({top}, 6, {16, 8, 16, 4});
    if (m_document->devices.empty()) {
        if (m_document->profile->calls().count() == 0)
            parts->addWidget(textLabel(
                u"Record with ProfilerActivity.CUDA among the activities to see kernels."_s,
                u"dim"_s));
        parts->addWidget(m_bar);
        for (QWidget *part : {static_cast<QWidget *>(m_bar), static_cast<QWidget *>(m_window),
                              static_cast<QWidget *>(m_rules)})
            part->hide();
    } else if (m_document->devices.size() > kMostBars) {
        QScrollArea *area = scrolled(m_bar, {});
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        area->setFixedHeight(kBarsHeight);
        parts->addWidget(area);
    } else {
        parts->addWidget(m_bar);
    }
    return panel(parts);
}

void ProfilePage::buildParts()
{
    m_strip = new ProfileStrip(m_document);
    m_timeline = new ProfileTimeline(m_document, m_state);
    m_panel = new EventPanel(m_document);
    m_bookmarks = new BookmarkModel(placeText, this);
    m_bookmarkPanel = new BookmarkPanel(m_bookmarks);
    m_tables = new ProfileTablesView(m_document);
    m_typing = new QTimer(this);
    m_typing->setSingleShot(true);
    m_typing->setInterval(kTypingRest);

    QSplitter *left = splitter(Qt::Vertical, {{m_timeline, 3}, {m_tables, 1}}, {520, 230});
    QWidget *side = panel(column({{m_panel, 1}, m_bookmarkPanel}));
    side->setMinimumWidth(260);
    setLayout(column({m_strip,
                      problemsLabel(problemLines(*m_document)),
                      overview(),
                      {splitter(Qt::Horizontal, {{left, 1}, side}, {960, 320}), 1}}));
}

void ProfilePage::connectParts()
{
    connect(m_strip, &ProfileStrip::findingChosen, this, &ProfilePage::showFinding);
    connect(m_window, &QComboBox::activated, this, [this](int index) {
        const int step = m_window->itemData(index).toInt();
        if (step >= 0) {
            const ProfileStep &of =
                m_document->study->steps().steps[static_cast<std::size_t>(step)];
            const auto start = static_cast<double>(of.start - m_document->origin);
            const auto length = static_cast<double>(of.end - of.start);
            m_state->show({start - length * 0.02, start + length * 1.02});
        }
        if (step != kChosen)
            m_state->choose({});
        showWindow();
    });
    connect(m_bar, &BreakdownBar::partClicked, this, [this](BarPart part) {
        ProfileQuery query = m_query;
        query.part = query.part == part ? std::nullopt : std::optional(part);
        query.named.reset();
        setQuery(query);
    });
    connect(m_search, &QLineEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
    connect(m_typing, &QTimer::timeout, this, [this] { setSearch(m_search->text()); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        setSearch(m_search->text());
        m_timeline->setFocus();
    });
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_search->clear();
        m_typing->stop();
        setQuery({});
    });
    connect(m_rules, &QPushButton::clicked, this, &ProfilePage::editRules);
    connect(m_python, &QPushButton::clicked, this, &ProfilePage::pythonWanted);
    connect(m_ranks, &QPushButton::clicked, this, [this] { Q_EMIT comparisonWanted({m_shown}); });
    connect(m_timeline, &ProfileTimeline::searchWanted, this, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    connect(m_timeline, &ProfileTimeline::copyWanted, this, [this] {
        if (const QString text = selectedText(); !text.isEmpty())
            QApplication::clipboard()->setText(text);
    });
    connectBookmarks();
    connect(m_panel, &EventPanel::eventWanted, m_timeline, &ProfileTimeline::goTo);
    connect(m_tables, &ProfileTablesView::choiceChanged, this, &ProfilePage::startTable);
    connect(m_tables, &ProfileTablesView::rowChosen, this, &ProfilePage::chooseRow);
    connect(m_state, &ProfileState::selectedChanged, this, [this] {
        m_panel->showEvent(m_state->selected());
        Q_EMIT statusChanged();
    });
    connect(m_state, &ProfileState::chosenChanged, this, [this] {
        fillWindows();
        startTable();
    });
    connect(m_state, &ProfileState::visibleChanged, this, &ProfilePage::statusChanged);
    connect(m_state, &ProfileState::momentChanged, this, &ProfilePage::statusChanged);
}

void ProfilePage::editRules()
{
    const ProfileEventId &selected = m_state->selected();
    const bool isWork = selected.valid() && selected.kind == EventKind::Work;
    auto *dialog =
        new RulesDialog(m_document, isWork ? eventName(*m_document, selected) : QString(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (dialog->rules() != m_document->study->rules())
            Q_EMIT rulesWanted(dialog->rules());
    });
    dialog->open();
}

void ProfilePage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    if (!m_timeline)
        return;
    m_timeline->setUnit(unit);
    m_panel->setUnit(unit);
    startTable();
}

void ProfilePage::setTab(ProfileTab tab)
{
    if (m_tables)
        m_tables->setTab(tab);
}

QString ProfilePage::search() const
{
    return m_query.text;
}

void ProfilePage::setSearch(const QString &text)
{
    if (!m_timeline)
        return;
    if (m_search->text() != text)
        m_search->setText(text);
    m_typing->stop();
    ProfileQuery query = m_query;
    query.text = text;
    setQuery(query);
}

// All complete steps, the whole recording, each of its steps, and the stretch that was chosen in
// the timeline.
void ProfilePage::fillWindows()
{
    const ProfileSteps &steps = m_document->study->steps();
    const QVariant before = m_window->currentData();
    const QSignalBlocker block(m_window);
    m_window->clear();
    if (!m_document->completeSteps.empty())
        m_window->addItem(stepsText(*m_document), kCompleteSteps);
    m_window->addItem(u"The whole recording"_s, kWhole);
    for (std::size_t at = 0; at < steps.steps.size(); ++at) {
        if (!steps.steps[at].device)
            continue;
        const QString name = foreignText(m_document->text(steps.steps[at].name));
        m_window->addItem(steps.hasMedian && at == steps.median ? u"%1, the median step"_s.arg(name)
                                                                : name,
                          static_cast<int>(at));
    }
    if (m_state->chosen())
        m_window->addItem(
            u"The chosen %1"_s.arg(durationText(m_state->chosen()->to - m_state->chosen()->from)),
            kChosen);
    const int kept = m_window->findData(m_state->chosen() ? QVariant(kChosen) : before);
    m_window->setCurrentIndex(std::max(kept, 0));
    showWindow();
}

void ProfilePage::showWindow()
{
    const ProfileStudy &study = *m_document->study;
    const int window = m_window->currentData().toInt();
    std::vector<BarTimes> times;
    if (window == kChosen && m_state->chosen()) {
        for (const ProfileDevice &device : m_document->devices)
            times.push_back(
                barTimes(gpuName(device.device),
                         device.coverage.within(m_state->chosen()->from, m_state->chosen()->to)));
    } else if (window >= 0) {
        const auto &step = study.steps().steps[static_cast<std::size_t>(window)];
        if (step.device)
            times.push_back(barTimes(foreignText(m_document->text(step.name)), *step.device));
    } else {
        times = barTimes(window == kCompleteSteps ? m_document->completeSteps : study.devices());
    }
    m_bar->setTimes(std::move(times));
}

void ProfilePage::showFinding(const Finding &finding)
{
    const std::string &kind = finding.kind;
    if (kind == kExposedCommunication || kind == kSameStream) {
        setTab(ProfileTab::Collectives);
        setQuery(ofPart(BarPart::Communication));
    } else if (kind == kExposedCopies) {
        setTab(ProfileTab::Kernels);
        setQuery(ofPart(BarPart::Copies));
    } else if (kind == kBlockingCalls) {
        setTab(ProfileTab::Launches);
        setSearch(u"Synchronize"_s);
    } else {
        setTab(kind == kHostBound ? ProfileTab::Idle : ProfileTab::Launches);
    }
}

void ProfilePage::chooseRow(const DataTable::Target &target)
{
    if (target.named >= 0) {
        ProfileQuery query;
        query.named = static_cast<EventKind>(target.named);
        query.name = static_cast<StringId>(target.name);
        query.part = {};
        query.text = m_query.text;
        setQuery(query);
    }
    if (target.kind >= 0)
        m_timeline->goTo(
            {static_cast<EventKind>(target.kind), static_cast<std::uint32_t>(target.at)});
}

void ProfilePage::setQuery(const ProfileQuery &query)
{
    if (query == m_query)
        return;
    const bool sameText = query.text == m_query.text;
    m_query = query;
    if (m_search->text() != query.text) {
        m_search->setText(query.text);
        m_typing->stop();
    }
    m_bar->setChosen(query.part);
    if (!sameText)
        m_tables->setSearch(query.text);
    startFind();
}

void ProfilePage::startFind()
{
    if (m_query.isEmpty()) {
        m_findJob.reset();
        return showFound(nullptr);
    }
    m_findJob = std::make_unique<Job>(
        [document = m_document, query = m_query](const Progress &progress) {
            return findEvents(*document, query, progress);
        },
        [this](std::shared_ptr<const FoundRows> found) { showFound(std::move(found)); });
}

void ProfilePage::showFound(std::shared_ptr<const FoundRows> found)
{
    m_foundText->setText(
        found ? u"%1 of %2"_s.arg(countedText(static_cast<std::int64_t>(found->events), "event"))
                    .arg(m_query.named  ? u"this name"_s
                         : m_query.part ? barPartName(*m_query.part)
                                              .toLower()
                                              .replace(u"exposed "_s, QString())
                                              .replace(u"hidden "_s, QString())
                                        : u"such a name"_s)
              : QString());
    m_clear->setVisible(found != nullptr);
    m_state->setFound(std::move(found));
}

void ProfilePage::startTable()
{
    m_tables->setWorking();
    m_tableJob = std::make_unique<Job>(
        [document = m_document, choice = m_tables->choice(), chosen = m_state->chosen()](
            const Progress &) { return profileTable(*document, choice, chosen); },
        [this](DataTable table) { m_tables->setTable(std::move(table), unit()); });
}

void ProfilePage::startFindings()
{
    m_findingsJob = std::make_unique<Job>(
        [document = m_document](const Progress &) { return document->study->findings(); },
        [this](const std::vector<Finding> &findings) { showFindings(findings); });
}

void ProfilePage::showFindings(std::vector<Finding> findings)
{
    for (Finding &finding : findings)
        finding.sentence = foreignText(m_document->shown(finding.sentence)).toStdString();
    m_strip->setFindings(findings);
    m_panel->setFindings(findings);
}

void ProfilePage::workNow()
{
    if (!m_timeline)
        return;
    if (m_findingsJob) {
        m_findingsJob.reset();
        showFindings(m_document->study->findings());
    }
    m_tableJob.reset();
    m_tables->setTable(profileTable(*m_document, m_tables->choice(), m_state->chosen()), unit());
    if (m_findJob) {
        m_findJob.reset();
        showFound(findEvents(*m_document, m_query));
    }
}

Table ProfilePage::table(qsizetype most) const
{
    return m_tables ? m_tables->exported(most) : Table();
}

std::vector<StageItem> ProfilePage::itemsWith(const std::vector<Bookmark> &marked) const
{
    return profileItems(m_document, marked, unit());
}

std::vector<StageItem> ProfilePage::stageItems()
{
    return m_timeline ? itemsWith(m_bookmarks->bookmarks()) : std::vector<StageItem>();
}

std::vector<ComparedTrace> ProfilePage::compared() const
{
    return m_timeline ? std::vector<ComparedTrace>{m_shown} : std::vector<ComparedTrace>();
}

void ProfilePage::goTo(const QString &place)
{
    if (const auto tab = profileTabNamed(place))
        setTab(*tab);
}

void ProfilePage::goToPeak()
{
    m_timeline->goToPeak();
}

QString ProfilePage::selectedText() const
{
    if (QString rows = DocumentPage::selectedText(); !rows.isEmpty())
        return rows;
    return eventText(*m_document, m_state->selected(), unit());
}

QString ProfilePage::statusText() const
{
    if (!m_timeline)
        return u"nothing recorded"_s;
    QStringList parts;
    if (m_state->selected().valid()) {
        const auto [start, end] = eventTimes(*m_document->profile, m_state->selected());
        parts << u"selected: %1 from %2"_s.arg(durationText(end - start),
                                               momentText(start - m_document->origin));
    } else if (const auto moment = m_state->moment()) {
        parts << u"at %1"_s.arg(momentText(*moment - m_document->origin));
        for (const ProfileMemoryCurves &curves : m_document->memory) {
            const auto allocated = curves.allocated.at(*moment);
            if (allocated && *allocated != kNoBytes)
                parts << u"%1 %2 %3"_s.arg(foreignText(curves.label), bytesText(*allocated, unit()),
                                           allocatedName(curves));
        }
    }
    const auto visible = static_cast<std::int64_t>(m_state->visible().length());
    parts << u"range: %1"_s.arg(durationText(visible));
    return parts.join(u" · "_s);
}

} // namespace vramscope
