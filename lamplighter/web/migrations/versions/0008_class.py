"""Classes: a code on the wall, children with names, and where each of them sat in which match."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "classes",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("code", sa.String(8), nullable=False, unique=True),
        sa.Column("teacher", sa.String(64), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("box", sa.Text),
        sa.Column("pace", sa.String(8), nullable=False),
        sa.Column("minutes", sa.Float, nullable=False),
        sa.Column("leaving", sa.String(8), nullable=False),
        sa.Column("door", sa.Boolean, nullable=False),
        sa.Column("phase", sa.String(8), nullable=False),
        sa.Column("match", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("due", sa.Float),
        sa.Column("seed", sa.Text),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
    )
    op.create_index("classes_due", "classes", ["due"])
    op.create_table(
        "pupils",
        sa.Column("class_id", sa.String(24), sa.ForeignKey("classes.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("look", sa.Text, nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("pin", sa.String(8), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.UniqueConstraint("class_id", "look", name="pupils_look"),
    )
    op.create_table(
        "places",
        sa.Column("class_id", sa.String(24), sa.ForeignKey("classes.id"), primary_key=True),
        sa.Column("match", sa.Integer, primary_key=True),
        sa.Column("pupil", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer),
        sa.Column("over", sa.Boolean),
        sa.Column("bot", sa.Boolean),
    )
    op.create_index("places_table", "places", ["table_id"])


def downgrade() -> None:
    for table in ("places", "pupils", "classes"):
        op.drop_table(table)
