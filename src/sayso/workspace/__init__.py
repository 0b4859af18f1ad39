"""The built-in application: people, projects, goals, habits, commitments, events, knowledge."""
