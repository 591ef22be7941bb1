// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/preset_popup.h"

#include "ui/models/preset_model.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/support/text.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScreen>
#include <QScrollBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kShownRows = 16;
constexpr int kColumnGap = 14;
constexpr int kAboutLines = 3; // the longest reason why a model is not computed

/// As wide as its columns: they never change, whatever is found.
void fitColumns(QTreeView *list)
{
    list->ensurePolished(); // the style sheet's margins count
    list->header()->ensurePolished();
    list->doItemsLayout();
    int width = list->style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 4;
    for (int column = 0; column < PresetModel::ColumnCount; ++column) {
        list->resizeColumnToContents(column);
        list->setColumnWidth(column, list->columnWidth(column) + kColumnGap);
        width += list->columnWidth(column);
    }
    list->setFixedWidth(width);
    const int rows = list->sizeHintForRow(0) * kShownRows;
    list->setFixedHeight(rows + list->header()->sizeHint().height() + 2);
}

} // namespace

PresetPopup::PresetPopup(QWidget *parent)
    : QFrame(parent, Qt::Popup)
    , m_models(new PresetModel(this))
    , m_search(new QLineEdit)
    , m_count(dimLabel())
    , m_list(new QTreeView)
    , m_about(new QLabel)
{
    setAttribute(Qt::WA_NoMouseReplay); // the press that closes it does not open it again
    setProperty("role", u"list"_s);
    m_search->setPlaceholderText(u"Name, family, year, size or kind: qwen 2025, 7B-14B, moe"_s);
    m_search->setAccessibleName(u"Search the models"_s);
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_count->setWordWrap(false);
    m_list->setModel(m_models);
    m_list->setAccessibleName(u"Models known by name"_s);
    m_list->setRootIsDecorated(false);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->header()->setSectionsMovable(false);
    m_list->header()->setStretchLastSection(true);
    m_list->header()->setSectionsClickable(true);
    m_list->header()->setSortIndicatorClearable(true); // back to the order of the catalogue
    m_list->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_list->setSortingEnabled(true);
    m_about->setWordWrap(true);
    m_about->setTextFormat(Qt::PlainText);
    m_about->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_about->setFixedHeight(kAboutLines * m_about->fontMetrics().lineSpacing());
    QHBoxLayout *head = row({{m_search, 1}, m_count}, 10);
    setLayout(column({head, m_list, m_about}, 6, {8, 8, 8, 8}));
    connect(m_search, &QLineEdit::textChanged, this, &PresetPopup::find);
    connect(m_list, &QTreeView::clicked, this, &PresetPopup::take);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &PresetPopup::describe);
}

void PresetPopup::openAt(const QRect &place, const QString &current)
{
    m_current = current;
    m_search->clear();
    find({});
    fitColumns(m_list);
    adjustSize();
    const QScreen *screen = parentWidget()->screen();
    const QRect room = screen->availableGeometry();
    const bool below = place.bottom() + height() <= room.bottom();
    const int top = below ? place.bottom() + 2 : place.top() - height() - 2;
    move(std::clamp(place.left(), room.left(), std::max(room.left(), room.right() - width())),
         std::clamp(top, room.top(), std::max(room.top(), room.bottom() - height())));
    show();
    m_search->setFocus(Qt::PopupFocusReason);
    goToPreset(current);
}

void PresetPopup::find(const QString &text)
{
    m_models->setWords(text);
    const int found = m_models->rowCount();
    m_count->setText(found == 0 ? u"none: drop your own config.json on the page"_s
                                : countedText(found, "model"));
    goToPreset(text.trimmed().isEmpty() ? m_current : QString());
    describe(); // the row may be the same of fewer
}

/// To its row, or to the first.
void PresetPopup::goToPreset(const QString &preset)
{
    int place = 0;
    for (int at = 0; at < m_models->rowCount(); ++at)
        if (toQString(m_models->presetAt(at).model->name) == preset)
            place = at;
    const QModelIndex row = m_models->index(place, 0);
    m_list->setCurrentIndex(row);
    m_list->scrollTo(row, QAbstractItemView::PositionAtCenter);
}

// The focus stays in the search, so what moves below it is told there.
void PresetPopup::describe()
{
    const QModelIndex row = m_list->currentIndex().siblingAtColumn(PresetModel::Name);
    const CatalogueShape *preset = row.isValid() ? &m_models->presetAt(row.row()) : nullptr;
    const bool isRefused = preset && !preset->computed();
    setRole(*m_about, isRefused ? u"warn"_s : u"dim"_s);
    m_about->setText(isRefused ? toQString(preset->whyNot)
                     : preset  ? aboutText(*preset)
                               : QString());
    const QString text = row.isValid()
                             ? u"%1; %2 of %3"_s.arg(row.data(Qt::AccessibleTextRole).toString())
                                   .arg(row.row() + 1)
                                   .arg(m_models->rowCount())
                             : m_count->text();
    if (text != m_search->accessibleDescription())
        m_search->setAccessibleDescription(text);
}

void PresetPopup::take(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    const CatalogueShape &preset = m_models->presetAt(index.row());
    if (!preset.computed())
        return m_list->setCurrentIndex(index); // and read why below the list
    hide();
    Q_EMIT chosen(toQString(preset.model->name));
}

bool PresetPopup::eventFilter(QObject *, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return false;
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        QApplication::sendEvent(m_list, event);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        take(m_list->currentIndex());
        return true;
    case Qt::Key_Escape:
        hide();
        return true;
    default:
        return false;
    }
}

} // namespace vramscope
