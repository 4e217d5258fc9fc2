import { z } from 'zod'

/** Something that the program goes on without, and that a person may want to mend. Answers are whole all the same, or say that they are not. */
export const warningSchema = z.strictObject({
  /**
   * cache-not-kept: the index is in memory; rows-not-kept: the next start has to look sessions up in the index; opened-not-kept:
   * large sessions open slower; kept-not-shown: sessions that only the archive has are missing; keys-not-recorded: links to copied sessions
   * may change; watch-limit: changes are seen later; files-unread; worker-restarted: a thread ended; connections-full: connections were
   * refused within the last minute; data-damaged: a file of the data folder was damaged, and restored or not; data-not-kept: changes of
   * what a person said are refused. Of the last two there may be several.
   */
  code: z.enum([
    'cache-not-kept',
    'rows-not-kept',
    'opened-not-kept',
    'kept-not-shown',
    'keys-not-recorded',
    'watch-limit',
    'files-unread',
    'worker-restarted',
    'connections-full',
    'data-damaged',
    'data-not-kept',
  ]),
  message: z.string(),
  /** What to do; null where there is nothing. */
  advice: z.string().nullable(),
})
export type Warning = z.infer<typeof warningSchema>
