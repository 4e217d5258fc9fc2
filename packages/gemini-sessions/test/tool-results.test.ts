import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StitchFile } from '../src/derive/files.ts'
import { stitchGroup } from '../src/derive/stitch.ts'
import { summarizeSession } from '../src/derive/summary.ts'
import { toolStats } from '../src/derive/tool-stats.ts'
import type { Message } from '../src/model/message.ts'
import { answer, at, context, jsonFile, logFile, prompt, type Row } from './make-file.ts'

/** Where the result of a model message's calls is; each is a form written by a CLI version. */
const LOG_PLACES = [
  'own result',
  'turn without own result',
  'shared by the turn after a resume',
  'only functionCall parts',
  'only functionCall parts without ids',
  'only functionCall parts without ids, results with',
  'masked by a later row',
  'masked by a rewrite',
  'masked in the turn',
] as const
const JSON_PLACES = [
  'own result',
  'text behind the result, flattened turn',
  'only in the flattened turn',
] as const
type Place = (typeof LOG_PLACES)[number] | (typeof JSON_PLACES)[number]

interface Step {
  place: Place
  tools: string[]
  hasDoubledTurn: boolean
}

function steps(places: readonly Place[]): fc.Arbitrary<Step[]> {
  const step = fc.record({
    place: fc.constantFrom(...places),
    tools: fc.array(fc.constantFrom('glob', 'read_file', 'run_shell_command'), {
      minLength: 1,
      maxLength: 3,
    }),
    hasDoubledTurn: fc.boolean(),
  })
  return fc.array(step, { minLength: 1, maxLength: 5 })
}

type LogRow = Row | Row[]

interface Written {
  rows: LogRow[]
  /** The conversation held by the CLI after these rows. */
  state: Row[]
  outputs: string[]
}

const MASK = '<tool_output_masked>\n[shortened]\n</tool_output_masked>'

function write(all: readonly Step[]): Written {
  const rows: LogRow[] = []
  const state: Row[] = []
  const outputs: string[] = []
  all.forEach((step, index) => {
    const written = writeStep(step, index, state)
    rows.push(...written.rows)
    state.splice(0, state.length, ...written.state)
    outputs.push(...written.outputs)
  })
  return { rows, state, outputs }
}

function writeStep({ place, tools, hasDoubledTurn }: Step, index: number, before: readonly Row[]): Written {
  const minute = 2 + index * 3
  const outputs = tools.map((_, n) => `<output ${index}.${n}>`)
  const id = (n: number) => `${tools[n]}_${index}_${n}`
  const response = (n: number, output = outputs[n], named = true) => ({
    functionResponse: { ...(named ? { id: id(n) } : {}), name: tools[n], response: { output } },
  })
  const call = (n: number, result?: unknown) => ({
    id: id(n),
    name: tools[n],
    args: { n },
    status: 'success',
    timestamp: at(minute, n),
    ...(result === undefined ? {} : { result }),
  })
  const callPart = (n: number, named = true) => ({
    functionCall: { ...(named ? { id: id(n) } : {}), name: tools[n], args: { n } },
  })
  const all = <T>(make: (n: number) => T): T[] => tools.map((_, n) => make(n))
  const asked = prompt(`u${index}`, minute, `do ${index}`)
  const model = (fields: Record<string, unknown>) => answer(`g${index}`, minute, { content: '', ...fields })
  const turn = (parts: unknown[]): Row => ({ ...prompt(`r${index}`, minute + 1), content: parts })
  const doubled = (parts: unknown[]): Row[] =>
    hasDoubledTurn ? [{ ...prompt(`r${index}_response`, minute + 1), content: parts }] : []
  const flat = (texts: string[]): Row => ({
    ...prompt(`f${index}`, minute + 1),
    content: texts.map((text, n) => `[Function Response: ${tools[n]}]${text}`).join(''),
  })
  const done = (rows: LogRow[], state: Row[]): Written => ({ rows, state: [...before, ...state], outputs })
  const own = model({ toolCalls: all((n) => call(n, [response(n)])) })
  const results = all((n) => response(n))
  switch (place) {
    case 'own result':
      return done([asked, own], [asked, own])
    case 'turn without own result': {
      const answered = [asked, model({ toolCalls: all((n) => call(n)) }), turn(results), ...doubled(results)]
      return done(answered, answered)
    }
    case 'shared by the turn after a resume': {
      const shared = model({ content: all((n) => callPart(n)), toolCalls: all((n) => call(n, results)) })
      const state = [asked, shared, ...doubled(results), turn(results)]
      return done([asked, turn(results), [...before, ...state]], state)
    }
    case 'only functionCall parts': {
      const answered = [
        asked,
        model({ content: all((n) => callPart(n)) }),
        turn(results),
        ...doubled(results),
      ]
      return done(answered, answered)
    }
    case 'only functionCall parts without ids':
    case 'only functionCall parts without ids, results with': {
      const parts = all((n) => response(n, outputs[n], place.endsWith('with')))
      const answered = [
        asked,
        model({ content: all((n) => callPart(n, false)) }),
        turn(parts),
        ...doubled(parts),
      ]
      return done(answered, answered)
    }
    case 'masked by a later row': {
      const masked = model({ toolCalls: all((n) => call(n, [response(n, MASK)])) })
      return done([asked, own, masked], [asked, masked])
    }
    case 'masked by a rewrite': {
      const masked = model({ toolCalls: all((n) => call(n, [response(n, MASK)])) })
      return done([asked, own, [...before, asked, masked]], [asked, masked])
    }
    case 'masked in the turn': {
      const parts = model({ content: all((n) => callPart(n)) })
      const masked = turn(all((n) => response(n, MASK)))
      return done([asked, parts, turn(results), masked], [asked, parts, masked])
    }
    case 'text behind the result, flattened turn': {
      const behind = (n: number) => [response(n, 'Tool execution succeeded.'), { text: outputs[n] }]
      const answered = [asked, model({ toolCalls: all((n) => call(n, behind(n))) }), flat(outputs)]
      return done(answered, answered)
    }
    case 'only in the flattened turn': {
      const answered = [asked, model({ toolCalls: all((n) => call(n, null)) }), flat(outputs)]
      return done(answered, answered)
    }
  }
}

/** The remaining conversation again under new ids, as after an aborted turn (0.57+). */
function copiesOf(state: readonly Row[]): Row[] {
  return state.map((row) => {
    const { toolCalls: _, ...copy } = row
    const calls = Array.isArray(row.toolCalls) ? row.toolCalls : []
    const parts = calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } }))
    return { ...copy, id: `copy-${row.id}`, ...(parts.length > 0 ? { content: parts, tokens: null } : {}) }
  })
}

function expectEachOnce(files: StitchFile[], { outputs }: Written): void {
  const [session, ...others] = stitchGroup(files)
  expect(others).toEqual([])
  if (session === undefined) throw new Error('no session')
  const originals = session.messages.filter(({ copyOf }) => copyOf === null)
  const calls = originals.flatMap(({ toolCalls }) => toolCalls)
  expect(calls.map((call) => textOf(call.output) + textOf(call.extraParts)).sort()).toEqual(
    [...outputs].sort(),
  )
  const said = session.messages.map(({ content }) => JSON.stringify(content)).join('\n')
  for (const output of outputs) expect(said).not.toContain(output)
  expect(
    session.messages.filter(({ origin, content }) => origin === 'tool-result' && content.length > 0),
  ).toEqual([])
  const project = { key: 'k', name: 'shop', path: null }
  const { counts } = summarizeSession(session, { project, priceCall: () => null })
  expect(counts?.toolCalls).toBe(outputs.length)
  expect(toolStats(session).reduce((sum, tool) => sum + tool.calls, 0)).toBe(outputs.length)
}

function textOf(value: Message['toolCalls'][number]['output'] | Message['content']): string {
  if (Array.isArray(value)) return value.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  return 'text' in value && value.text !== 'Tool execution succeeded.' ? value.text : ''
}

describe('every call has its output exactly once', () => {
  it('wherever a log keeps it', () => {
    fc.assert(
      fc.property(steps(LOG_PLACES), (all) => {
        const written = write(all)
        expectEachOnce([logFile({ start: 1 }, [context(1), ...written.rows])], written)
      }),
      { numRuns: 300 },
    )
  })

  it('wherever a JSON file keeps it', () => {
    fc.assert(
      fc.property(steps(JSON_PLACES), (all) => {
        const written = write(all)
        expectEachOnce([jsonFile({ start: 1 }, written.state)], written)
      }),
    )
  })

  it('also when an abort writes the conversation again under new ids', () => {
    // Without ids nothing shows which call a copy repeats.
    const places = LOG_PLACES.filter((place) => !place.includes('without ids'))
    fc.assert(
      fc.property(steps(places), (all) => {
        const written = write(all)
        const copies = copiesOf(written.state)
        expectEachOnce([logFile({ start: 1 }, [context(1), ...written.rows, ...copies, copies])], written)
      }),
    )
  })

  it('also when a resume goes on in a file of its own', () => {
    fc.assert(
      fc.property(steps(LOG_PLACES), (all) => {
        const written = write(all)
        const early = logFile({ start: 1 }, [context(1), ...written.rows])
        const late = logFile({ start: 90 }, [written.state, prompt('last', 91), answer('end', 92)])
        expectEachOnce([late, early], written)
      }),
    )
  })
})
