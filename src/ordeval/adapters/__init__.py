"""Adapters to other libraries. Nothing in ordeval imports them; a user of the library does."""
