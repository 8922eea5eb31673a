"""What every format uses: fields with findings, schemas, contents, attributes of spans. Imports no format."""
