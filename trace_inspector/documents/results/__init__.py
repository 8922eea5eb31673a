"""The results of a run as a folder of Parquet files: its tables, its manifest, and SQL in a process of its own."""
