"""Cannot be imported: what a mistake looks like."""

raise RuntimeError("no such setting")
