"""How well the gateway's text tools do, on texts whose right answer is marked."""
