"""See: which visual representation supports control?"""
