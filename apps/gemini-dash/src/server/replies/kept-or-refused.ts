import { ApiFailure } from '../contract/api-failure.ts'

/** A disk that is full or closed to us is no fault of the program, and the reason is worth telling. */
export function keptOrRefused<Answer>(change: () => Answer): Answer {
  try {
    return change()
  } catch (error) {
    throw new ApiFailure('unavailable', `This could not be kept: ${reasonOf(error)}.`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; make room on it, and try again',
  EDQUOT: 'the disk is full for this user',
  EROFS: 'the disk can only be read',
  EACCES: 'the data folder does not let this user write',
  EPERM: 'the data folder does not let this user write',
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  return (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? error.message.replace(/\.$/, '')
}
