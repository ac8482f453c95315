"""One search for all games: plans for a whole turn, and samples of what follows them.

beam       what a state is worth, and plans of a turn: compiled
samples    what may follow a plan: compiled
tree       a tree of moves, where a game does not say what states are worth: compiled
room       what they work in: where plans grow, what a game needs, a fitted value
program    these three as one program for all games
plan       how a search goes: candidates, samples, halving, the gate, and when it stops
weights    fitted values: their files, and which of them may be used
fit        how they are made: a weighted sum, from self-play
net        hidden nodes beside the sum, and how they are trained
learn      how either is made from sampled next turns
rivals     how they are made from plans that compete for a turn
"""
