"""A lock on an open file that ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys

# On Windows a locked byte cannot be read by others, so it is the last that can be locked there.
_FAR = (1 << 31) - 2


def lock(handle: int) -> bool:
    """Take the lock of an open file; false when another opening of the file has it.

    Where the file system has no locks everybody gets one: offering edits that another process still makes is
    better than never offering them.
    """
    if sys.platform == "win32":
        import msvcrt

        here = os.lseek(handle, 0, os.SEEK_CUR)
        try:
            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, here, os.SEEK_SET)
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
