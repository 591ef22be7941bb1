// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/series/series_scene.h"

#include <QTableWidget>

namespace vramscope {

/// The figures of every curve of the devices drawn, a row a curve: peak, its time and operator,
/// lowest and last. A click on a row goes to its peak.
class PeaksTable : public QTableWidget
{
    Q_OBJECT

public:
    enum Column { Curve, Peak, Time, Operator, Lowest, Last, ColumnCount };

    explicit PeaksTable(QWidget *parent = nullptr);

    void setScene(const SeriesDocument &document, const SeriesScene &scene, ByteUnit unit);

Q_SIGNALS:
    void eventWanted(EventIndex event);

private:
    void addDevice(const SeriesDocument &document, const SeriesScene &scene,
                   const DeviceSamples &device, ByteUnit unit);
    void addRow(const QStringList &texts, const QStringList &tips, EventIndex peak);
};

} // namespace vramscope
