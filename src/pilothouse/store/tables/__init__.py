"""The tables, by subject. Columns carry the names of dataclass fields; the rest is what queries need, and says so."""
