"""What every game is built on: variants, positions, matches, records and chance. It knows no game."""
