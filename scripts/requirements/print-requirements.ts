import { readFileSync } from 'node:fs'
import { listTests, type RequirementTest } from './list-tests.ts'

interface Requirement {
  number: number
  area: string
  text: string
  /** Why it cannot be tested. */
  untested?: string
}

const LIST: Requirement[] = JSON.parse(readFileSync(new URL('./requirements.json', import.meta.url), 'utf8'))
const HEAD = `# What is promised, and what proves it

Made by \`npx tsx scripts/requirements.ts\` from the titles of tests that begin with the number of a requirement; do not edit.
Parts of the fault kit (\`faults/\`) count as tests.
`

/** The documentation page: each requirement with its tests, or the reason why it has none. */
export function printRequirements(tests: readonly RequirementTest[] = listTests()): string {
  const areas = [...new Set(LIST.map(({ area }) => area))]
  const sections = areas.map((area) => {
    const rows = LIST.filter((requirement) => requirement.area === area).map((requirement) =>
      printOne(requirement, tests),
    )
    return `\n## ${area}\n\n${rows.join('\n')}\n`
  })
  return HEAD + sections.join('')
}

/** A sentence for each requirement without a test or reason, and for each unknown number. */
export function findUnproven(tests: readonly RequirementTest[] = listTests()): string[] {
  const proven = new Set(tests.flatMap(({ numbers }) => numbers))
  const known = new Set(LIST.map(({ number }) => number))
  return [
    ...LIST.filter(({ number, untested }) => !proven.has(number) && untested === undefined).map(
      ({ number, text }) => `R${number} has no test: ${text}`,
    ),
    ...[...proven].filter((number) => !known.has(number)).map((number) => `R${number} is no requirement`),
  ]
}

function printOne({ number, text, untested }: Requirement, tests: readonly RequirementTest[]): string {
  const own = tests.filter(({ numbers }) => numbers.includes(number))
  const lines = own.map(({ file, title }) => `  - \`${file}\`: ${title}`)
  const reason = untested === undefined ? [] : [`  - not tested: ${untested}`]
  return [`- **R${number}** ${text}`, ...reason, ...lines].join('\n')
}
