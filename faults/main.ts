import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FaultPart } from './fault-part.ts'
import { endWith, numberOf, openFolder, readArguments } from './kit-arguments.ts'
import { parts } from './parts.ts'
import { countsOf, type Outcome, printFindings, printOutcomes } from './print-outcomes.ts'
import { Trial } from './trial.ts'

// npm run faults: see README.md beside this file.
const MINUTES = 1
/** Time limit if a number of faults is requested, however long it takes. */
const MOST_MINUTES = 60
/** In `npm run test:all`: one run each, and a second one if the first was short. */
const BOUNDED_MINUTES = 0.05
const AT_ONCE = 2
/** A short run mostly waits. */
const BOUNDED_AT_ONCE = 3

/** The page with the table. */
const PAGE = fileURLToPath(new URL('../SECURITY.md', import.meta.url))
const BEGIN = '<!-- written by npm run faults -- --write-security -->\n'
const END = '<!-- end of what is written -->'

const { options, ...given } = readArguments({
  only: { type: 'string', multiple: true },
  bounded: { type: 'boolean', default: false },
  faults: { type: 'string' },
  'until-found': { type: 'boolean', default: false },
  'write-security': { type: 'boolean', default: false },
})
const { only, bounded, program } = options
const unknown = only?.find((name) => !parts.some((part) => part.name === name))
if (unknown !== undefined)
  endWith(`There is no part "${unknown}"; there are ${parts.map(({ name }) => name).join(', ')}.`)
const seed = given.seed ?? Date.now() % 1_000_000
const faults = numberOf('faults', options.faults)
const minutes = given.minutes ?? (bounded ? BOUNDED_MINUTES : faults === null ? MINUTES : MOST_MINUTES)
const folder = openFolder('faults')
process.stdout.write(`seed ${seed} (the same again: npm run faults -- --seed ${seed})\n`)

const waiting = parts.filter(({ name }) => only === undefined || only.includes(name))
const outcomes: Outcome[] = []
const work = async (): Promise<void> => {
  for (let part = waiting.shift(); part; part = waiting.shift()) outcomes.push(await runPart(part))
}
await Promise.all(Array.from({ length: bounded ? BOUNDED_AT_ONCE : AT_ONCE }, work))
outcomes.sort((a, b) => indexOf(a) - indexOf(b))
process.stdout.write(printOutcomes(outcomes))
// repeated at the end, as other output may be in between
for (const outcome of outcomes) process.stdout.write(printFindings(outcome))
if (options['write-security']) writeSecurityTable(outcomes, seed)
process.exit(outcomes.some(({ hasFailed }) => hasFailed) ? 1 : 0)

async function runPart(part: FaultPart): Promise<Outcome> {
  const startedAtMs = performance.now()
  const missing = missingNeeds(part)
  // Nothing may be missing as root on Linux: a part skipped there would never run.
  if (missing !== null)
    return { part, findings: null, seconds: 0, skipped: missing.reason, hasFailed: missing.isFailure }
  const trial = new Trial({
    name: part.name,
    seed,
    minutes,
    faults,
    isBounded: bounded,
    endsWhenFound: options['until-found'],
    program,
    folder,
  })
  try {
    await part.run(trial)
  } catch (error) {
    trial.addDifferences([error instanceof Error ? (error.stack ?? error.message) : String(error)])
  } finally {
    trial.end()
  }
  const { findings } = trial
  const seconds = Math.round((performance.now() - startedAtMs) / 1000)
  const hasFailed = findings.losses.length + findings.differences.length > 0
  process.stdout.write(`${part.name}: ${hasFailed ? 'FAILED' : 'ok'} after ${seconds} s\n`)
  const outcome = { part, findings, seconds, skipped: null, hasFailed }
  process.stdout.write(printFindings(outcome))
  return outcome
}

function indexOf({ part }: Outcome): number {
  return parts.indexOf(part)
}

/** Why a part cannot run here; null if it can. As root on Linux only uninstalled tools may be missing. */
function missingNeeds({ needs }: FaultPart): { reason: string; isFailure: boolean } | null {
  const isLinux = process.platform === 'linux'
  const isFailure = isLinux && process.getuid?.() === 0
  if (needs.includes('linux') && !isLinux) return { reason: 'it needs Linux', isFailure }
  if (needs.includes('user namespace') && spawnSync('unshare', ['-Urm', 'true']).status !== 0)
    return { reason: 'no user may have a namespace of their own here (unshare -Urm)', isFailure }
  if (needs.includes('strace') && spawnSync('strace', ['-V']).status !== 0)
    return { reason: 'strace is not installed', isFailure: false }
  return null
}

/** Writes the table of faults, runs and losses as counted by the kit. */
function writeSecurityTable(outcomes: readonly Outcome[], seed: number): void {
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
