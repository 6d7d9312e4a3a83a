"""Pure work on text: redaction, terms, time words, classification, the guard, embedding."""
