import { type Failure, idOf, type TestRun } from './test-events.ts'

/** More failures than this are no accident. */
const MOST_FAILURES = 5

export interface Tries extends Pick<TestRun, 'tests' | 'failures'> {
  /** Failed the first time, passed the second. */
  passedLater: Failure[]
}

/** Only if few tests failed, and the file of each is known. */
export function deservesSecondTry(failures: readonly Failure[]): boolean {
  return failures.length > 0 && failures.length <= MOST_FAILURES && failures.every(({ file }) => file !== '')
}

/**
 * Combines two runs. A test passed if it passed once; a hook or a file counts as passed if nothing in the file failed the second time. What
 * the second run did not reach stays failed.
 */
export function mergeTries(first: Omit<TestRun, 'isFinished'>, second: Omit<TestRun, 'isFinished'>): Tries {
  const tests = new Map(first.tests)
  for (const [id, test] of second.tests) if (tests.get(id)?.state !== 'passed') tests.set(id, test)
  const ranAgain = new Set([...second.tests.values()].map(({ file }) => file))
  const hasPassed = (failure: Failure) =>
    failure.isTest
      ? tests.get(idOf(failure))?.state === 'passed'
      : ranAgain.has(failure.file) && !second.failures.some(({ file }) => file === failure.file)
  const failedAgain = new Set(second.failures.map(idOf))
  return {
    tests,
    failures: [
      ...second.failures.filter((failure) => !failure.isTest || !hasPassed(failure)),
      ...first.failures.filter((failure) => !hasPassed(failure) && !failedAgain.has(idOf(failure))),
    ],
    passedLater: first.failures.filter(hasPassed),
  }
}
