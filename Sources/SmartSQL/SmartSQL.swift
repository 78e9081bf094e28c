// To come: see ARCHITECTURE.md.
