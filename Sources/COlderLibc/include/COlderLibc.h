// Nothing to import: the linker takes these functions in place of newer ones.
