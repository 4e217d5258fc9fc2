import { NotWritten } from '../../../home-writes/home-writer.ts'
import { ApiFailure } from '../../contract/api-failure.ts'

/** What was written, or a failure that says why it could not be. */
export async function orWhyNot<Answer>(writing: Promise<Answer>): Promise<Answer> {
  try {
    return await writing
  } catch (error) {
    if (error instanceof NotWritten) throw new ApiFailure('unavailable', error.message)
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiFailure('unavailable', `This could not be done: ${reason}.`)
  }
}
