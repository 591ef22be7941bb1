#include "core/base/upward.h"
#include "core/trace/columns/column.h"
