"""Hints can be switched off at a table, results say who looked at some, and reviews of finished matches are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("tables", sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("results", sa.Column("hinted", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(24), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("done", sa.Integer, nullable=False, server_default="0"),
        sa.Column("moves", sa.Integer, nullable=False, server_default="0"),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("body", sa.LargeBinary),
    )


def downgrade() -> None:
    op.drop_table("reviews")
    op.drop_column("results", "hinted")
    op.drop_column("tables", "hints")
