import { ApiFailure } from '../contract/api-failure.ts'

/** A disk that is full or closed to us is no fault of the program, and the reason is worth telling. */
export function keptOrRefused<Answer>(change: () => Answer): Answer {
  try {
    return change()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiFailure('unavailable', `This could not be kept: ${reason}`)
  }
}
