#include "core/trace/trace.h"
#include <QString>
