"""Who laid a table, as a keyed hash, so that one client cannot fill the house."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("tables", sa.Column("maker", sa.String(64)))
    op.create_index("tables_maker", "tables", ["maker"])


def downgrade() -> None:
    op.drop_index("tables_maker", "tables")
    op.drop_column("tables", "maker")
