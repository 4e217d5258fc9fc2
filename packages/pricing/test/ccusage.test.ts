import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listSessions } from 'gemini-sessions/node'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { priceCall } from '../src/cost.ts'
import { DIFFERENCES, type Sums } from './ccusage-differences.ts'

const TOOL = fileURLToPath(new URL('../../../tools/ccusage', import.meta.url))
const CCUSAGE = join(TOOL, 'node_modules', 'ccusage', 'src', 'cli.js')
const FIXTURES = fileURLToPath(new URL('../../../fixtures', import.meta.url))
const HOMES = [
  'home',
  ...foldersIn('homes').map((name) => `homes/${name}/.gemini`),
  ...foldersIn('tokens').map((name) => `tokens/${name}/home`),
  ...foldersIn('sessions').map((name) => `sessions/${name}/home`),
]

const reportSchema = z.object({
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      inputTokens: z.number(),
      cacheReadTokens: z.number(),
      outputTokens: z.number(),
      totalTokens: z.number(),
      totalCost: z.number(),
    }),
  ),
})
const whyNot = whyNotRunnable()

describe('sums of tokens and costs, compared with ccusage 20.0.24', () => {
  it.for(HOMES)('differ only where it is known why: %s', async (place, { skip }) => {
    if (whyNot !== null) skip(whyNot)
    const home = join(FIXTURES, place)
    const ours = await sumsOfOurs(home)
    const theirs = sumsOfTheirs(home)
    const names = [...new Set([...ours.keys(), ...theirs.keys()])].sort()
    const found = names
      .map((name) => [name, { ours: ours.get(name) ?? null, theirs: theirs.get(name) ?? null }] as const)
      .filter(([, sums]) => JSON.stringify(sums.ours) !== JSON.stringify(sums.theirs))
    const known = DIFFERENCES.find((difference) => difference.home === fixtureOf(place))
    expect(Object.fromEntries(found), known?.because).toEqual(known?.sessions ?? {})
  })

  it('are told of fixtures that exist', () => {
    const fixtures = HOMES.map(fixtureOf)
    expect(DIFFERENCES.map(({ home }) => home).filter((home) => !fixtures.includes(home))).toEqual([])
  })
})

function fixtureOf(place: string): string {
  return place.replace(/\/(?:home|\.gemini)$/, '')
}

function foldersIn(folder: string): string[] {
  return readdirSync(join(FIXTURES, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

/** Its binary is a separate package for each system, and not available for all of them. */
function whyNotRunnable(): string | null {
  const hint = 'npm run test:all installs it, or `npm ci` in tools/ccusage'
  if (!existsSync(CCUSAGE)) return `ccusage is not installed: ${hint}`
  try {
    execFileSync(process.execPath, [CCUSAGE, '--version'], { stdio: 'pipe' })
    return null
  } catch {
    return `ccusage does not run on ${process.platform} ${process.arch}`
  }
}

/** By the first eight characters of the id: ccusage takes those from the file name if it finds no id. */
async function sumsOfOurs(home: string): Promise<Map<string, Sums>> {
  const rows = await listSessions({ homes: [home], priceCall })
  const sums = new Map<string, Sums>()
  for (const { sessionId, usage, cost } of rows) {
    if (usage === null || usage.total === 0) continue
    const { input, cached, output, tool, total } = usage
    add(sums, sessionId, [input - cached + tool, cached, output, total, cost?.usd ?? 0])
  }
  return sums
}

/** Runs on a copy, so that no fixture can change. */
function sumsOfTheirs(home: string): Map<string, Sums> {
  const copy = mkdtempSync(join(tmpdir(), 'gemini-dash-ccusage-'))
  try {
    cpSync(home, join(copy, '.gemini'), { recursive: true })
    const env = { PATH: process.env.PATH, HOME: copy, GEMINI_DATA_DIR: join(copy, '.gemini') }
    const args = [CCUSAGE, 'gemini', 'session', '--offline', '--json']
    const text = execFileSync(process.execPath, args, { env, cwd: copy, encoding: 'utf8', stdio: 'pipe' })
    const sums = new Map<string, Sums>()
    for (const session of reportSchema.parse(JSON.parse(text)).sessions) {
      const { inputTokens, cacheReadTokens, outputTokens, totalTokens, totalCost } = session
      add(sums, session.sessionId, [inputTokens, cacheReadTokens, outputTokens, totalTokens, totalCost])
    }
    return sums
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function add(sums: Map<string, Sums>, sessionId: string, [fresh, cached, output, total, usd]: Sums): void {
  const name = sessionId.slice(0, 8)
  const [a, b, c, d, e] = sums.get(name) ?? [0, 0, 0, 0, 0]
  // ccusage adds floating point numbers; our promise is a billionth of a dollar.
  sums.set(name, [a + fresh, b + cached, c + output, d + total, Number((e + usd).toFixed(9))])
}
