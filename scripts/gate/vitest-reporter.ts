import type { SerializedError } from 'vitest'
import type { Reporter, TestCase, TestModule, TestSpecification, TestSuite, Vitest } from 'vitest/node'
import { ByPath } from './by-path.ts'
import { recordEvent } from './test-events.ts'

/** Reports the progress of tests to the process that started Vitest. */
export default class VitestReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  /** `all` is every file; a shard runs some of them. */
  async onTestRunStart(all: readonly TestSpecification[]): Promise<void> {
    const files = this.#vitest?.config.shard ? await new ByPath(this.#vitest).shard([...all]) : all
    recordEvent({ type: 'planned', files: files.map(({ moduleId }) => moduleId) })
  }

  onTestCaseReady(test: TestCase): void {
    recordEvent({ type: 'began', ...placeOf(test) })
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result()
    if (state !== 'pending')
      recordEvent({ type: 'ended', ...placeOf(test), state, errors: errors.map(toError) })
  }

  /** Errors in hooks of a `describe`. */
  onTestSuiteResult(suite: TestSuite): void {
    tellBroken(suite.errors(), placeOf(suite))
  }

  /** Errors in hooks of a file, and a file that cannot be loaded. */
  onTestModuleEnd(module: TestModule): void {
    const file = module.moduleId
    tellBroken(module.errors(), { file, names: [] })
    const notRun = [...module.children.allTests('pending')].length
    recordEvent({ type: 'file ended', file, notRun, ms: Math.round(module.diagnostic().duration) })
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    for (const error of unhandledErrors)
      tellBroken([error], { file: String(error.VITEST_TEST_PATH ?? ''), names: [] })
    recordEvent({ type: 'finished' })
  }
}

function tellBroken(
  errors: readonly Partial<SerializedError>[],
  place: { file: string; line?: number | undefined; names: string[] },
): void {
  if (errors.length > 0) recordEvent({ type: 'broken', ...place, errors: errors.map(toError) })
}

function placeOf(entity: TestCase | TestSuite) {
  const names: string[] = []
  for (let each: TestCase | TestSuite | TestModule = entity; each.type !== 'module'; each = each.parent)
    names.unshift(each.name)
  return { file: entity.module.moduleId, line: entity.location?.line, names }
}

function toError({ message = '', diff = '', stack = '' }: Partial<SerializedError>) {
  return { message, diff: String(diff), stack }
}
