"""Daily tries: which are counted, and, until the day is over, from where they came."""

import sqlalchemy as sa
from alembic import op

BEFORE = "0002"
revision = "0003"
down_revision = BEFORE


def upgrade() -> None:
    op.add_column("tables", sa.Column("counted", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("tables", sa.Column("shared", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("address", sa.String(64)))
    op.add_column("tables", sa.Column("person", sa.String(64)))
    op.create_index("tables_person", "tables", ["day", "game", "person"], unique=True)
    op.create_index("tables_address", "tables", ["day", "game", "address"])


def downgrade() -> None:
    op.drop_index("tables_address", "tables")
    op.drop_index("tables_person", "tables")
    for name in ("person", "address", "shared", "counted"):
        op.drop_column("tables", name)
