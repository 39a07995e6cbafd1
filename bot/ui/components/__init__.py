"""The parts that messages are made of: layout, mentions, results, menus, emojis, pictures and films."""
