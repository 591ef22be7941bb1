// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_menu.h"

#include "ui/ranks/ranks_text.h"

#include <QMenu>

using namespace Qt::StringLiterals;

namespace vramscope {

RankWish askByMenu(const RunStudy &study, std::size_t rank, QPoint place)
{
    QMenu menu;
    const QAction *open = menu.addAction(u"Open rank %1"_s.arg(study.number(rank)));
    const QString why = whyNotCompared(study, rank);
    QAction *compare = menu.addAction(
        why.isEmpty() ? u"Compare with the typical rank of its group"_s : why.chopped(1));
    compare->setEnabled(why.isEmpty());
    const QAction *chosen = menu.exec(place);
    if (!chosen)
        return RankWish::None;
    return chosen == open ? RankWish::Open : RankWish::Compare;
}

} // namespace vramscope
