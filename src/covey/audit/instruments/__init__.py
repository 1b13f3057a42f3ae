"""Step 7, audit: what privacy losses are measured with.  None of it knows a particular system."""
