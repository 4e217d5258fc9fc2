import fc from 'fast-check'
import { arbitraryContent } from './arbitrary-content.ts'

/** A message as recorded in a log. */
export type Row = { id: string; type: string } & Record<string, unknown>

const TIME = '2026-11-21T20:30:00.000Z'
export const METADATA = {
  sessionId: 's1',
  projectHash: 'p1',
  startTime: TIME,
  lastUpdated: TIME,
  kind: 'main',
}

/** The type of a message never changes: by id. */
const TYPE_OF: ReadonlyMap<string, string> = new Map([
  ['a', 'user'],
  ['b', 'gemini'],
  ['c', 'user'],
  ['d', 'info'],
  ['e', 'gemini'],
  ['__proto__', 'user'],
  ['constructor', 'error'],
  ['toString', 'tool'],
  ['', '__proto__'],
])

const id = fc.constantFrom(...TYPE_OF.keys())

const row = fc
  .record(
    {
      id,
      timestamp: fc.constantFrom(TIME, '2026-11-21T20:29:00.000Z', 'yesterday'),
      content: arbitraryContent,
      toolCalls: fc.constantFrom<unknown>(
        [{ id: 'call', name: 'glob', args: {}, status: 'success' }],
        [],
        null,
      ),
      tokens: fc.constantFrom<unknown>({ input: 5, output: 1, cached: 0, total: 6 }, null),
    },
    { requiredKeys: ['id'] },
  )
  .map((fields): Row => ({ ...fields, type: typeOf(fields.id) }))

/** The effect of a record is determined when it is written: a rewrite lists ids that are in the log by then. */
export type Step = { name: string; write: (known: readonly Row[]) => unknown }

const append = row.map((added): Step => ({ name: 'append', write: () => added }))

const reappend = fc.tuple(fc.nat(50), row).map(
  ([pick, changed]): Step => ({
    name: 're-append',
    write: (known) => ({ ...changed, ...identity(known[pick % (known.length || 1)] ?? changed) }),
  }),
)

const setField = fc
  .constantFrom<Record<string, unknown>>(
    { lastUpdated: '2026-11-21T20:31:00.000Z' },
    { sessionId: 's2' },
    { projectHash: 'p2' },
    { startTime: TIME },
    { summary: 'A summary' },
    { kind: 'subagent' },
    { directories: ['/tmp/other'] },
    { memoryScratchpad: { version: 1, toolSequence: [], touchedPaths: [] } },
    { activeExtensionName: 'x' },
    { messages: 'no list' },
    { ['__proto__']: { messages: [] } },
    {},
  )
  .map(
    (fields): Step => ({
      name: `$set.${Object.keys(fields)[0] ?? 'nothing'}`,
      write: () => ({ $set: fields }),
    }),
  )

const subset = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }).map(
  (keep): Step => ({
    name: '$set.messages subset',
    write: (known) => ({ $set: { messages: known.filter((_, index) => keep[index % keep.length]) } }),
  }),
)

const reorder = fc.array(fc.nat(9), { minLength: 8, maxLength: 8 }).map(
  (ranks): Step => ({
    name: '$set.messages reorder',
    write: (known) => {
      const rank = (message: Row) => ranks[known.indexOf(message) % ranks.length] ?? 0
      return { $set: { messages: known.toSorted((a, b) => rank(a) - rank(b)), lastUpdated: TIME } }
    },
  }),
)

/** As left by an aborted turn (0.57+): rows under new ids, then a list of exactly these. */
const copies = fc.nat(999).map(
  (seed): Step => ({
    name: '$set.messages copies',
    write: (known) => {
      const fresh = known.map((message, index) => ({ ...message, id: `copy-${seed}-${index}` }))
      return [...fresh, { $set: { messages: fresh } }]
    },
  }),
)

/** As left by a resume (0.44+): each turn with calls is followed by its results. */
const responses = fc.constant<Step>({
  name: '$set.messages responses',
  write: (known) => ({
    $set: {
      messages: known.flatMap((message) => [
        message,
        { ...toResponse(message), id: `${message.id}_response` },
      ]),
    },
  }),
})

const rewrite = fc
  .array(fc.oneof({ weight: 6, arbitrary: row }, fc.constantFrom<unknown>(null, 5, 'text', {}, { id: 7 })), {
    maxLength: 5,
  })
  .map(
    (messages): Step => ({
      name: messages.length === 0 ? '$set.messages empty' : '$set.messages any',
      write: () => ({ $set: { messages } }),
    }),
  )

const rewind = fc.oneof(
  fc.nat(50).map(
    (pick): Step => ({
      name: '$rewindTo known',
      write: (known) => ({ $rewindTo: known[pick % (known.length || 1)]?.id ?? 'a' }),
    }),
  ),
  fc
    .constantFrom('unknown', '')
    .map(($rewindTo): Step => ({ name: '$rewindTo unknown', write: () => ({ $rewindTo }) })),
)

const metadata = fc.oneof(
  fc.constant<Step>({ name: 'metadata again', write: () => METADATA }),
  fc.array(row, { maxLength: 3 }).map(
    (messages): Step => ({
      name: 'metadata with messages',
      write: () => ({ ...METADATA, messages }),
    }),
  ),
)

/** Records that pass two tests of the loader: the first one counts. */
const ambiguous = fc.tuple(id, row).chain(([target, added]) =>
  fc.constantFrom<Step>(
    { name: 'rewind or message', write: () => ({ ...added, $rewindTo: target }) },
    { name: 'message with an opaque $rewindTo', write: () => ({ ...added, $rewindTo: 5 }) },
    { name: 'message or $set', write: () => ({ ...added, $set: { messages: [] } }) },
    { name: 'message or metadata', write: () => ({ ...METADATA, ...added, messages: [] }) },
    {
      name: '$set or metadata',
      write: () => ({ ...METADATA, $set: { messages: [added] }, messages: [added] }),
    },
    { name: 'metadata with an opaque $set', write: () => ({ ...METADATA, $set: 5, messages: [added] }) },
    { name: '$set of a list', write: () => ({ $set: [added] }) },
  ),
)

const foreign = fc
  .constantFrom<unknown>(
    { $unknown: 1 },
    { type: 'user', content: 'no id' },
    { $set: null },
    { id: 5 },
    {},
    'text',
    [1],
    null,
    7,
  )
  .map((value): Step => ({ name: 'no record', write: () => value }))

/** One record, sometimes several, of any type that the CLI's loader distinguishes. */
export const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: append },
  { weight: 4, arbitrary: reappend },
  { weight: 6, arbitrary: setField },
  ...[subset, reorder, copies, responses, rewrite, rewind, metadata, foreign].map((arbitrary) => ({
    weight: 2,
    arbitrary,
  })),
  { weight: 3, arbitrary: ambiguous },
)

function toResponse({ type }: Row): Row {
  const functionResponse = { id: 'call', name: 'glob', response: { output: type } }
  return { id: '', type: 'user', content: [{ functionResponse }] }
}

function typeOf(ofId: string): string {
  return TYPE_OF.get(ofId) ?? 'user'
}

function identity({ id: ofId, type }: Row): Row {
  return { id: ofId, type }
}
