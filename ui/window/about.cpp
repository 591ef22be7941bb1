// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/about.h"

#include <QMessageBox>

namespace vramscope {

using namespace Qt::StringLiterals;

QString programVersion()
{
    return QStringLiteral(VRAMSCOPE_VERSION_TEXT);
}

void showAbout(QWidget *window)
{
    QMessageBox::about(
        window, u"About VRAMscope"_s,
        u"<h3>VRAMscope %1</h3>"
        "<p>Plan and inspect GPU memory of model training and serving.</p>"
        "<p>Nothing leaves this machine. A file is never executed, never changed, never sent "
        "anywhere.</p>"
        "<p>© The VRAMscope authors. Free software under the GNU General Public License, version 3 "
        "or later, without any warranty.</p>"
        "<p>Built with Qt %2 and nlohmann/json.</p>"_s.arg(programVersion(),
                                                           QString::fromLatin1(qVersion())));
}

} // namespace vramscope
