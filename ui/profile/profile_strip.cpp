// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_strip.h"

#include "core/print/cells.h"
#include "ui/page/layout.h"
#include "ui/profile/profile_text.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"
#include "ui/support/tip_html.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

namespace vramscope {

using namespace Qt::StringLiterals;

QString recordedText(const ProfileDocument &document)
{
    const Profile &profile = *document.profile;
    QStringList parts;
    for (const ProfileDevice &device : document.devices) {
        const QString name = foreignText(device.name);
        if (parts.size() == 2) {
            parts << countedText(std::ssize(document.devices), "device");
            break;
        }
        parts << (name.isEmpty() ? u"GPU %1"_s.arg(device.device)
                                 : u"GPU %1: %2"_s.arg(device.device).arg(name));
    }
    if (profile.rank() != kNotStated)
        parts << (profile.worldSize() == kNotStated
                      ? u"rank %1"_s.arg(profile.rank())
                      : u"rank %1 of %2"_s.arg(profile.rank()).arg(profile.worldSize()));
    parts << toQString(counted(profile.eventCount(), "event"));
    parts << durationText(document.end - document.origin);
    const auto steps = static_cast<std::int64_t>(profile.steps().size());
    parts << (steps == 0 ? u"no steps marked"_s : toQString(counted(steps, "step")));
    if (profile.skippedPythonFunctions() > 0)
        parts << toQString(counted(profile.skippedPythonFunctions(), "Python function")) +
                     u" left out"_s;
    return parts.join(u" · "_s);
}

QString titleOf(ProfileFinding::Kind kind)
{
    switch (kind) {
    case ProfileFinding::Kind::ExposedCommunication:
        return u"Exposed communication"_s;
    case ProfileFinding::Kind::SameStream:
        return u"Communication where it computes"_s;
    case ProfileFinding::Kind::HostBound:
        return u"Waits for the host"_s;
    case ProfileFinding::Kind::BlockingCalls:
        return u"Blocking calls"_s;
    case ProfileFinding::Kind::ExposedCopies:
        return u"Exposed copies"_s;
    case ProfileFinding::Kind::SmallLaunches:
        return u"Short kernels"_s;
    case ProfileFinding::Kind::SlowLaunches:
        return u"Slow launches"_s;
    case ProfileFinding::Kind::LateRank:
        break;
    }
    return u"Late rank"_s;
}

ProfileStrip::ProfileStrip(std::shared_ptr<const ProfileDocument> document, QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_recorded(new ElidedLabel(Qt::ElideRight))
    , m_chips(new QHBoxLayout)
{
    setProperty("role", u"strip"_s);
    setAttribute(Qt::WA_StyledBackground);
    m_recorded->setProperty("role", u"dim"_s);
    m_recorded->setFullText(recordedText(*m_document));
    m_chips->setSpacing(8);
    setLayout(row({new QLabel(u"<b>Profiler trace</b>"_s), {m_recorded, 1}, m_chips}, 18,
                  {16, 8, 16, 8}));
}

QPushButton *ProfileStrip::addChip(const QString &text, const QString &tip)
{
    auto *chip = new QPushButton(text);
    chip->setProperty("role", u"chip"_s);
    chip->setToolTip(tipHtml(tip));
    chip->setAccessibleDescription(tip);
    chip->setCursor(Qt::PointingHandCursor);
    chip->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_chips->addWidget(chip);
    m_buttons.push_back(chip);
    return chip;
}

void ProfileStrip::setFindings(const std::vector<ProfileFinding> &findings)
{
    for (const ProfileFinding &finding : findings) {
        const QString title = u"%1: %2"_s.arg(titleOf(finding.kind), durationText(finding.time));
        auto *chip = addChip(title, foreignText(m_document->shown(finding.text)));
        connect(chip, &QPushButton::clicked, this,
                [this, kind = finding.kind] { Q_EMIT findingChosen(kind); });
    }
    m_more = new QPushButton;
    m_more->setProperty("role", u"chip"_s);
    m_more->setMenu(new QMenu(m_more));
    for (const QPushButton *chip : m_buttons) {
        QAction *action = m_more->menu()->addAction(chip->text());
        action->setToolTip(chip->toolTip());
        connect(action, &QAction::triggered, chip, &QPushButton::click);
    }
    m_more->menu()->setToolTipsVisible(true);
    m_more->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_chips->addWidget(m_more);
    fitChips();
}

QSize ProfileStrip::minimumSizeHint() const
{
    return {320, QWidget::minimumSizeHint().height()};
}

void ProfileStrip::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitChips();
}

// What was recorded keeps its place; what chips have no room stand in a menu.
void ProfileStrip::fitChips()
{
    if (!m_more)
        return;
    int room = std::max(width() * 6 / 10, width() - m_recorded->sizeHint().width() - 200);
    room -= m_more->sizeHint().width();
    std::size_t shown = 0;
    for (; shown < m_buttons.size(); ++shown) {
        room -= m_buttons[shown]->sizeHint().width() + m_chips->spacing();
        if (room < 0)
            break;
    }
    const auto actions = m_more->menu()->actions();
    for (std::size_t at = 0; at < m_buttons.size(); ++at) {
        m_buttons[at]->setVisible(at < shown);
        actions[static_cast<qsizetype>(at)]->setVisible(at >= shown);
    }
    m_more->setVisible(shown < m_buttons.size());
    m_more->setText(u"%1 more"_s.arg(m_buttons.size() - shown));
}

} // namespace vramscope
