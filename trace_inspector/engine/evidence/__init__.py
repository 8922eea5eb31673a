"""Evidence packs: put together, without secrets, as a page; looked through once more before anybody writes it."""
