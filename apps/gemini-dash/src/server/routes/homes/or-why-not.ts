import { ApiFailure } from '../../contract/api-failure.ts'

/** What was written, or a failure that says why it could not be. */
export async function orWhyNot<Answer>(writing: Promise<Answer>): Promise<Answer> {
  try {
    return await writing
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiFailure('unavailable', `This could not be done: ${reason}.`)
  }
}
