import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter'
import { recordEvent } from './test-events.ts'

/** Reports the progress of tests to the process that started Playwright. */
export default class PlaywrightReporter implements Reporter {
  /** For each file, the number of unfinished tests and the duration of the others. */
  readonly #files = new Map<string, { left: number; ms: number }>()

  onBegin(_config: FullConfig, suite: Suite): void {
    for (const { location } of suite.allTests()) this.#of(location.file).left += 1
    recordEvent({ type: 'planned', files: [...this.#files.keys()] })
  }

  onTestBegin(test: TestCase): void {
    recordEvent({ type: 'began', ...placeOf(test) })
  }

  onTestEnd(test: TestCase, { status, errors, duration }: TestResult): void {
    const state = status === 'skipped' ? 'skipped' : test.ok() ? 'passed' : 'failed'
    recordEvent({ type: 'ended', ...placeOf(test), state, errors: errors.map(toError) })
    const file = this.#of(test.location.file)
    file.left -= 1
    file.ms += duration
    if (file.left === 0)
      recordEvent({ type: 'file ended', file: test.location.file, notRun: 0, ms: Math.round(file.ms) })
  }

  /** Errors outside of tests: a file that cannot be loaded, or the teardown of a worker. */
  onError(error: TestError): void {
    recordEvent({ type: 'broken', file: error.location?.file ?? '', names: [], errors: [toError(error)] })
  }

  onEnd(): void {
    recordEvent({ type: 'finished' })
  }

  printsToStdio(): boolean {
    return false
  }

  #of(file: string): { left: number; ms: number } {
    const known = this.#files.get(file) ?? { left: 0, ms: 0 }
    this.#files.set(file, known)
    return known
  }
}

/** A title path starts with the root, the project and the file. */
function placeOf(test: TestCase) {
  return { file: test.location.file, line: test.location.line, names: test.titlePath().slice(3) }
}

function toError({ message, value, stack = '' }: TestError) {
  return { message: message ?? value ?? '', diff: '', stack }
}
