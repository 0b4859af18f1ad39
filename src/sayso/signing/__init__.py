"""Signatures: who made a result, a catalogue or a continuation, and until when it holds."""
