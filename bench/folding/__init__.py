"""What twenty compactions of one session leave of what the first ones earned."""
