"""Small faults in the sources, compiled once behind a switch, and what finds them."""
