// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <QMetaType>

/// Plans in the columns of a test's data.
Q_DECLARE_METATYPE(vramscope::Plan)
