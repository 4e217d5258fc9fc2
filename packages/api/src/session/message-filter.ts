import { z } from 'zod'

/** Which blocks of a conversation to read: what was asked and answered, what failed, what was changed, what ran, what was thought. */
export const messageFilterSchema = z.enum(['dialogue', 'errors', 'edits', 'shell', 'thoughts'])
export type MessageFilter = z.infer<typeof messageFilterSchema>
