"""What Clew costs: preflight, one compaction, growth, import; beside LangChain in one process."""
