"""OpenTelemetry and its relatives: spans become turns. Imports common and writing."""
