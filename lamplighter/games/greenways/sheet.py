from lamplighter.engine.drawing import Line
def draw_text(variant, state, seat):
    return []
