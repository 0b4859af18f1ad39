"""Sayso."""
