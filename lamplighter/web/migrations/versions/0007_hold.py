"""How long what follows a move waits for a take-back, chosen for each table. Old tables keep the short wait."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("tables", sa.Column("hold", sa.String(8), nullable=False, server_default="short"))


def downgrade() -> None:
    op.drop_column("tables", "hold")
