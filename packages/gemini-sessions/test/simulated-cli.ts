import fc from 'fast-check'
import type { Superseded } from '../src/model/message.ts'
import { answer, at, context, info, prompt, type Row } from './make-file.ts'

export type SimulatedEvent =
  | 'turn'
  | 'tool turn'
  | 'notice'
  | 'rewind'
  | 'failed'
  | 'aborted'
  | 'compress'
  | 'resume'
  | 'lost'

export type SimulatedRecord = Row | Row[] | { $rewindTo: string } | { startTime: string }

/**
 * What CLI 0.57+ appends to its log at each event, derived from the facts alone, with the expected outcome of every message. Independent of
 * the code under test.
 */
export class SimulatedCli {
  readonly records: SimulatedRecord[] = []
  /** Every id ever recorded, in order, with why it left the conversation; null while it is in it. */
  readonly fates = new Map<string, Superseded | null>()
  /** Ids of copies, with the ids they repeat. */
  readonly originals = new Map<string, string>()
  /** Where the log can be split into the file of the first run and that of the resume: index of the record. */
  readonly resumes: number[] = []
  /** The conversation held by the CLI, without notices. */
  history: Row[] = []
  #notices: Row[] = []
  #minute = 1
  #count = 0

  constructor() {
    this.#set([context(1)])
  }

  run(event: SimulatedEvent): void {
    this.#minute += 2
    if (event === 'turn') this.#turn()
    else if (event === 'tool turn') this.#toolTurn()
    else if (event === 'notice') this.#notice()
    else if (event === 'rewind') this.#rewind()
    else if (event === 'failed') this.#failed()
    else if (event === 'aborted') this.#aborted()
    else if (event === 'compress') this.#compress()
    else if (event === 'resume') this.#resume()
    else this.#lost()
  }

  #id(letter: string): string {
    this.#count += 1
    return `${letter}${this.#count}`
  }

  #append(...rows: Row[]): Row[] {
    for (const row of rows) {
      this.records.push(row)
      this.fates.set(row.id, null)
    }
    return rows
  }

  #set(rows: Row[]): void {
    this.records.push(rows)
    for (const { id } of rows) this.fates.set(id, null)
    this.history = [...rows]
    for (const { id } of this.#notices) this.fates.set(id, 'replaced')
    this.#notices = []
  }

  #drop(rows: readonly Row[], cause: Superseded): void {
    for (const { id } of rows) this.fates.set(id, cause)
  }

  #turn(): void {
    this.history.push(
      ...this.#append(prompt(this.#id('p'), this.#minute, 'go on'), answer(this.#id('a'), this.#minute)),
    )
  }

  #toolTurn(): void {
    const call = `glob_${this.#count}`
    const response = { functionResponse: { id: call, name: 'glob', response: { output: `found ${call}` } } }
    const asked = prompt(this.#id('p'), this.#minute)
    const called = answer(this.#id('a'), this.#minute, { content: '' })
    const done = {
      ...called,
      toolCalls: [{ id: call, name: 'glob', args: {}, status: 'success', result: [response] }],
    }
    const result = { ...prompt(this.#id('r'), this.#minute + 1), content: [response] }
    this.#append(asked, called, done, result)
    this.history.push(asked, done, result)
  }

  #notice(): void {
    this.#notices.push(...this.#append(info(this.#id('n'), this.#minute, 'Model set to x')))
  }

  #rewind(): void {
    const prompts = this.history.filter(({ id }) => /^[pq]/.test(id))
    const target = prompts[Math.floor(prompts.length / 2)]
    if (target === undefined) return
    this.records.push({ $rewindTo: target.id })
    const kept = this.history.slice(0, this.history.indexOf(target))
    const order = [...this.fates.keys()]
    const goneNotices = this.#notices.filter(({ id }) => order.indexOf(id) > order.indexOf(target.id))
    this.#drop([...this.history.slice(kept.length), ...goneNotices], 'rewound')
    this.#notices = this.#notices.filter((notice) => !goneNotices.includes(notice))
    this.#drop(kept.filter(isContext), 'rewound')
    this.#set(kept.filter((row) => !isContext(row)))
  }

  #failed(): void {
    const asked = this.#append(prompt(this.#id('x'), this.#minute, 'refused'))
    this.#set(this.history)
    this.#drop(asked, 'aborted')
  }

  #aborted(): void {
    const taken = this.#append(
      prompt(this.#id('x'), this.#minute, 'never mind'),
      answer(this.#id('y'), this.#minute, { content: 'half an ans' }),
    )
    const survivors = this.history
    const copies = this.#append(...survivors.map((row) => this.#copy(row)))
    this.#set(copies)
    this.#drop(survivors, 'replaced')
    this.#drop(taken, 'aborted')
  }

  /** Rewritten from the API's turns: calls only as parts, no thoughts, tokens or model. */
  #copy(row: Row): Row {
    const { toolCalls, tokens: _, model: __, ...rest } = row
    const id = this.#id(/^[pq]/.test(row.id) ? 'q' : 'c')
    if (!isContext(row)) this.originals.set(id, row.id)
    const calls = Array.isArray(toolCalls) ? toolCalls : []
    const parts = calls.map(({ id: callId, name, args }) => ({ functionCall: { id: callId, name, args } }))
    return { ...rest, id, timestamp: at(this.#minute, 1), ...(parts.length > 0 ? { content: parts } : {}) }
  }

  #compress(): void {
    const before = this.history
    const snapshot = {
      ...prompt(this.#id('s'), this.#minute),
      content: [{ text: '<state_snapshot>…</state_snapshot>' }],
    }
    const thanks = { ...answer(this.#id('s'), this.#minute), tokens: null, content: [{ text: THANKS }] }
    const kept = before.find(isContext) ?? context(this.#minute)
    this.#drop(before, 'compacted')
    this.#set([kept, snapshot, thanks])
  }

  #resume(): void {
    this.resumes.push(this.records.length)
    this.#set(this.history)
  }

  /** A load in the same minute that fails (0.61): new metadata, and only the context. */
  #lost(): void {
    const before = this.history
    this.records.push({ startTime: at(this.#minute) })
    this.#drop(before, 'replaced')
    this.#set([before.find(isContext) ?? { ...context(this.#minute), id: this.#id('k') }])
  }
}

const THANKS = 'Got it. Thanks for the additional context!'

function isContext({ content }: Row): boolean {
  return JSON.stringify(content).includes('<session_context>')
}

export const simulatedEvents: fc.Arbitrary<SimulatedEvent[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<SimulatedEvent>('turn') },
    { weight: 3, arbitrary: fc.constant<SimulatedEvent>('tool turn') },
    { weight: 2, arbitrary: fc.constant<SimulatedEvent>('notice') },
    fc.constantFrom<SimulatedEvent[]>('rewind', 'failed', 'aborted', 'compress', 'resume', 'lost'),
  ),
  { minLength: 1, maxLength: 14 },
)

export function simulate(events: readonly SimulatedEvent[]): SimulatedCli {
  const cli = new SimulatedCli()
  for (const event of events) cli.run(event)
  return cli
}
