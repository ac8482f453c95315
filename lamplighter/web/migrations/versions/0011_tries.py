"""Wrong numbers of children are counted by address, in memory: nobody locks a child out."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.drop_column("pupils", "tries")


def downgrade() -> None:
    op.add_column("pupils", sa.Column("tries", sa.Integer, nullable=False, server_default="0"))
