"""The `remote` room: other people's tools behind one endpoint of ours."""
