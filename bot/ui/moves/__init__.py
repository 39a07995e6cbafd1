"""Controls by which a player makes a move, one module for each kind: buttons, menus, arrows, forms, secret moves."""
