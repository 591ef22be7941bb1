// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/loading_page.h"

#include "ui/page/labels.h"
#include "ui/page/layout.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <chrono>

namespace vramscope {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kSteps = 1000;
constexpr qint64 kTooEarly = 400;

} // namespace

QString timeLeftText(qint64 elapsedMilliseconds, double share)
{
    if (elapsedMilliseconds < kTooEarly || share < 0.01 || share >= 1)
        return {};
    const double seconds = static_cast<double>(elapsedMilliseconds) * (1 - share) / share / 1000;
    if (seconds < 1)
        return u"less than a second left"_s;
    if (seconds < 100)
        return u"about %1 s left"_s.arg(qRound(seconds));
    return u"about %1 min left"_s.arg(qRound(seconds / 60));
}

LoadingPage::LoadingPage(QWidget *parent)
    : QWidget(parent)
    , m_title(headlineLabel()) // it names a file
    , m_bar(new QProgressBar)
    , m_text(noteLabel({}))
{
    m_bar->setRange(0, kSteps);
    m_bar->setTextVisible(false);
    auto *cancel = new QPushButton(u"Cancel"_s);
    connect(cancel, &QPushButton::clicked, this, &LoadingPage::cancelled);
    m_content = panel(column({m_title, m_bar, row({{m_text, 1}, cancel}, 8)}, 12));
    setLayout(centred(m_content));
}

void LoadingPage::start(const QString &title)
{
    m_title->setText(u"Reading %1"_s.arg(title));
    m_text->clear();
    m_bar->setValue(0);
    m_since.start();
    m_content->hide();
    QTimer::singleShot(120ms, m_content, &QWidget::show);
}

void LoadingPage::setProgress(double share)
{
    m_bar->setValue(static_cast<int>(share * kSteps));
    const QString percent = u"%1 %"_s.arg(static_cast<int>(share * 100));
    const QString left = timeLeftText(m_since.elapsed(), share);
    m_text->setText(left.isEmpty() ? percent : u"%1 · %2"_s.arg(percent, left));
}

} // namespace vramscope
