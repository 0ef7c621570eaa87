"""For other libraries: imported by nobody here, each file by those who have its library."""
