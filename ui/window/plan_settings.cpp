// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/plan_settings.h"

#include "core/estimate/estimate.h"
#include "core/exchange/import_notes.h"
#include "ui/offscreen/read_document.h"
#include "ui/support/text.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

bool looksLikeSettings(const QString &text)
{
    constexpr qsizetype kShortest = 8;
    if (text.size() < kShortest || text.size() > kLongestSettings)
        return false;
    const auto first =
        std::find_if_not(text.begin(), text.end(), [](QChar c) { return c.isSpace(); });
    return first != text.end() && (*first == u'{' || *first == u'[' || text.contains(u"\n["_s) ||
                                   text.contains(u"--"_s) || text.contains(u"LLM("_s));
}

QString importNotice(const QString &name, const Imported &imported)
{
    const QString what = u"%1 taken as %2"_s.arg(name, toQString(imported.format));
    if (const Estimate needs = estimate(imported.plan); !needs.computed)
        return u"%1. No figures yet: %2"_s.arg(what, toQString(whyNotComputed(needs)));
    const auto matters = [](const ImportNote &note) { return !namesNoMemory(note); };
    switch (std::ranges::count_if(imported.notes, matters)) {
    case 0:
        return imported.notes.empty() ? u"%1: all of it carried over."_s.arg(what)
                                      : u"%1: all that bears on memory carried over."_s.arg(what);
    case 1: {
        const ImportNote &note = *std::ranges::find_if(imported.notes, matters);
        return u"%1. Look at one thing: %2 %3"_s.arg(what, toQString(note.place),
                                                     toQString(note.text));
    }
    default:
        return u"%1. Look at %2 things."_s.arg(what).arg(
            std::ranges::count_if(imported.notes, matters));
    }
}

void showImportNotes(QWidget *parent, const QString &name, const Imported &imported)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(u"What did not carry over from %1"_s.arg(name));
    auto *list = new QTreeWidget;
    list->setAccessibleName(dialog->windowTitle());
    list->setColumnCount(2);
    list->setHeaderLabels({u"Place"_s, u"What became of it"_s});
    list->setRootIsDecorated(false);
    list->setWordWrap(true);
    for (const ImportNote &note : imported.notes) {
        const QString place = note.place.empty() ? u"the file"_s : toQString(note.place);
        auto *item = new QTreeWidgetItem({place, toQString(note.text)});
        item->setToolTip(1, toQString(note.text));
        list->addTopLevelItem(item);
    }
    list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *layout = new QVBoxLayout(dialog);
    layout->addWidget(list);
    layout->addWidget(buttons);
    dialog->resize(760, 420);
    dialog->open();
}

} // namespace vramscope
