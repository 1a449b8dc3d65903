"""Never ends being imported."""

while True:
    pass
