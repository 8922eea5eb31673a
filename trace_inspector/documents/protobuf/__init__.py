"""Messages of protobuf as documents. Imports base."""
