/** More than any text has, and what `split` takes. */
const ALL = 4_294_967_295

/** Paper holds all of an output. */
export const MOST_AT_ONCE = { text: ALL, terminal: ALL, diff: ALL, search: ALL, files: ALL, letters: ALL }
