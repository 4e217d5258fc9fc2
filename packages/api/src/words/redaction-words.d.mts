/** What is redacted. */
export const TAKEN_OUT: string
/** What is never searched for. */
export const NEVER_LOOKED_FOR: string
