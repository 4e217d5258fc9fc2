/** What redaction takes out. */
export const TAKEN_OUT: string
/** What it never looks for. */
export const NEVER_LOOKED_FOR: string
