"""Labels in, ranks out: columns, frames, files, runs, and the policies for what is missing."""
