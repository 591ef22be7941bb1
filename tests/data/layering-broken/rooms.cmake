# Rooms of which one names another that comes after it, and an exception that no source needs.
room(core/base)
room(core/trace/columns)
room(core/trace core/base core/trace/columns)
room(core/profile core/readers)
room(core/readers core/profile)
room(ui/trace core ui)
against_the_arrows(core/base/excepted.h core/trace)
against_the_arrows(core/base/gone.h core/trace)
