"""The engines of `smart_search`: one small adapter each, behind one protocol."""
