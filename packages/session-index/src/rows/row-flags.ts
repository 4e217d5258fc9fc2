/** What is true of a row, as bits. */
export const ROW_FLAGS = { error: 1, superseded: 2, diff: 4, image: 8, thoughts: 16, unanswered: 32 } as const
