"""The component file of a table, so that the table outlives the file."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("tables", sa.Column("box", sa.Text))


def downgrade() -> None:
    op.drop_column("tables", "box")
