import { readMutations } from '../mutations/read-mutations.mjs'
import { blameless, type Failure, type TestRun } from './test-events.ts'

/** Minimum number of mutations whose test is part of `npm test`; the tests of the others take too long. */
const LISTS = [
  { list: 'mutations.json', least: 105 },
  { list: 'page-mutations.json', least: 29 },
] as const

/** A failure for each list of which too few tests passed: they are how `npm test` notices that a rule lost its code. */
export function failuresOfMutations(tests: TestRun['tests']): Failure[] {
  const passed = new Map<string, string[]>()
  for (const { file, names, state } of tests.values())
    if (state === 'passed') passed.set(file, [...(passed.get(file) ?? []), names.join(' ')])
  return LISTS.flatMap(({ list, least }) => {
    const mutations = readMutations(list)
    const isSeen = ({ test }: (typeof mutations)[number]) =>
      passed.get(test.file)?.some((name) => name.endsWith(test.name))
    const unseen = mutations.filter((mutation) => !isSeen(mutation))
    const seen = mutations.length - unseen.length
    if (seen >= least) return []
    const examples = unseen.slice(0, 3).map(({ test }) => `"${test.name}" (${test.file})`)
    return [
      blameless(
        `${list}: the tests of ${seen} mutations passed in this run, and at least ${least} have to. Others: ${examples.join(', ')}`,
      ),
    ]
  })
}
