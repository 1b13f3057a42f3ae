"""What the engines share: pieces of records, private folders, counts that add up."""
