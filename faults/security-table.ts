import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { countsOf, type Outcome } from './print-outcomes.ts'

const PAGE = fileURLToPath(new URL('../SECURITY.md', import.meta.url))
const BEGIN = '<!-- written by npm run faults -- --write-security -->\n'
const END = '<!-- end of what is written -->'

/** The table of faults, runs and losses as the kit itself counted them. */
export function writeSecurityTable(outcomes: readonly Outcome[], seed: number): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', rest = ''] = page.split(BEGIN)
  const after = rest.slice(rest.indexOf(END))
  if (after === '')
    throw new Error(`SECURITY.md lacks the two lines between which the table stands: ${BEGIN}${END}`)
  const rows = outcomes.map(({ part, findings, skipped }) => {
    const counts = findings === null ? [`not run: ${skipped}`, '', '', ''] : countsOf(findings)
    return `| ${[part.name, part.does, ...counts].join(' | ')} |`
  })
  const table = [
    `Seed ${seed}, Node ${process.versions.node}, ${process.platform}:`,
    '',
    '| part | what it does | runs | faults | losses | differences |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ]
  writeFileSync(PAGE, `${before}${BEGIN}${table.join('\n')}${after}`)
}
