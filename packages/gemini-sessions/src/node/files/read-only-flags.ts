import { constants } from 'node:fs'

/**
 * How every file under a home is opened: never for writing, never through a link that was put in its place after the
 * scan, never waiting for the other end of a FIFO. Windows knows only the first.
 */
export const READ_ONLY_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
