#include "ui/window/main_window.h"
