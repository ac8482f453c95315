"""What every game stands on: variants, positions, matches, records and chance. It knows no game."""
