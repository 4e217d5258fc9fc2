import { readMutations } from '../mutations/read-mutations.mjs'
import type { Results } from './print-end.ts'
import list from './quarantine.json' with { type: 'json' }
import { blameless, type Failure, type TestRun } from './test-events.ts'

/** A test that both failed and passed on the same tree, so its result says nothing about a change. It runs but does not count. */
export interface Quarantined {
  /** Path in the repository. */
  file: string
  /** Titles of the groups and the test, joined by " › ". */
  title: string
  /** Its error. */
  message: string
  /** `git rev-parse HEAD^{tree}` of both runs. */
  tree: string
  /** Dates of the red and the green run, ISO 8601. */
  red: string
  green: string
}

const MOST_ENTRIES = 10
const OF_REQUIREMENT = /(?:^|› )R\d+\b/
const FIELDS = ['file', 'title', 'message', 'tree', 'red', 'green'] as const

/** Removes failures of quarantined tests from a gate run, and adds one for each invalid entry. */
export function setAside(
  { failures, tests }: Pick<Results, 'failures'> & Pick<TestRun, 'tests'>,
  entries: readonly Quarantined[] = list,
): { failures: Failure[]; remarks: string[] } {
  const isIn = ({ file, names }: Pick<Failure, 'file' | 'names'>) =>
    entries.some((entry) => entry.file === file && entry.title === names.join(' › '))
  const failed = failures.filter(isIn)
  const ran = [...tests.values()]
  const wrong = entries.flatMap((entry) => {
    const isThere = ran.some(({ file, names }) => file === entry.file && names.join(' › ') === entry.title)
    const why = isThere ? whyNotAllowed(entry) : 'there is no such test in this run'
    return why === null ? [] : [blameless(`quarantine.json, "${entry.title}" (${entry.file}): ${why}.`)]
  })
  if (entries.length > MOST_ENTRIES)
    wrong.push(blameless(`quarantine.json has ${entries.length} entries; ${MOST_ENTRIES} are allowed.`))
  const remarks = entries.map(({ file, title }) => {
    const hasFailed = failed.some((failure) => failure.file === file && failure.names.join(' › ') === title)
    return `Quarantined, ${hasFailed ? 'failed' : 'passed'}: ${file} › ${title}`
  })
  return { failures: [...failures.filter((failure) => !isIn(failure)), ...wrong], remarks }
}

function whyNotAllowed(entry: Quarantined): string | null {
  const missing = FIELDS.filter((field) => !entry[field])
  if (missing.length > 0) return `it has no ${missing.join(', ')}`
  if (OF_REQUIREMENT.test(entry.title)) return 'it proves a requirement'
  const mutations = [...readMutations('mutations.json'), ...readMutations('page-mutations.json')]
  const name = entry.title.replaceAll(' › ', ' ')
  return mutations.some(({ test }) => test.file === entry.file && name.endsWith(test.name))
    ? 'a mutation needs it'
    : null
}
