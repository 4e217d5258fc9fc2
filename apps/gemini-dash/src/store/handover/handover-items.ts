import { FATE_WORDS } from '@gemini-dash/api/fate-words'
import { formatPlural } from '@gemini-dash/api/figures'
import { toolLabel } from '@gemini-dash/api/tool-label'
import {
  type EditDoubt,
  isCommand,
  type Part,
  type SessionEdit,
  type SessionEdits,
  type ToolCall,
  type ToolOutput,
  type TouchedFile,
} from 'gemini-sessions'
import type { Item } from './fit-sections.ts'
import { bytesOf, named, type Piece, quotedBelow } from './quote.ts'
import { type Exchange, type OpenRuns, type SessionNotes, subjectOf } from './session-notes.ts'

/** What a text goes through before anything of it is written: redaction, or nothing. */
export type Clean = (text: string) => string

const CALL_BYTES = 300
const OUTPUT_BYTES = 800

/** Commands of the CLI and of its shell mode say little of what is wanted. */
const NOT_SPOKEN = /^(?:[/?!]|I ran the following shell command:)/

/** The first prompt, the last, the second, and then back from the end; what is a command to the CLI comes last. */
export function promptItems(exchanges: readonly Exchange[], clean: Clean): Item[] {
  const asked = exchanges.flatMap(({ asked: text, timestamp }, place) =>
    text === '' ? [] : [{ text, timestamp, place }],
  )
  const spoken = asked.filter(({ text }) => !NOT_SPOKEN.test(text))
  const [first, second, ...others] = spoken
  const last = others.pop()
  const order = [first, last, second, ...others.reverse(), ...asked.filter((each) => !spoken.includes(each))]
  return order.flatMap((prompt) => {
    if (prompt === undefined) return []
    const text = lazily(() => clean(prompt.text))
    const head = `- ${prompt.timestamp ?? 'No time recorded'}:`
    return {
      place: prompt.place,
      write: (maxBytes) => quotedBelow(head, text(), maxBytes),
    }
  })
}

/** The newest first, each with what it said. */
export function failureItems({ open, noAnswer }: SessionNotes, clean: Clean): Item[] {
  const items = open.map((runs, place): Item => {
    const { call } = runs
    const texts = lazily(() => ({
      subject: clean(subjectOf(call)),
      said: clean(outputText(call.output)).trim(),
    }))
    const facts = openFacts(runs)
    const write = (maxBytes: number) => {
      const { subject, said } = texts()
      const head = subject.trim() === '' ? null : named(subject, facts, Math.min(maxBytes, CALL_BYTES))
      const line = head?.text ?? `- ${facts}`
      const room = maxBytes - bytesOf(line) - 1
      const quoted = quotedBelow(
        '- It said:',
        said,
        Math.min(room, OUTPUT_BYTES),
        isCommand(call) ? 'tail' : 'head',
      )
      const text = quoted === null ? line : `${line}\n${quoted.text}`
      return bytesOf(text) > maxBytes
        ? null
        : { text, isShortened: said !== '' && quoted?.isShortened !== false }
    }
    return { place, write }
  })
  if (noAnswer === null) return items.reverse()
  const said = lazily(() => clean(noAnswer).trim())
  const head = '- The last prompt has no answer.'
  const write = (maxBytes: number) =>
    said() === '' ? fitting(head, maxBytes) : quotedBelow(head, said(), maxBytes)
  return [{ place: items.length, write }, ...items.reverse()]
}

/** The newest first. */
export function commandItems({ worked }: SessionNotes, clean: Clean): Item[] {
  return worked
    .map(({ call, successes }, place): Item => {
      const command = lazily(() => clean(subjectOf(call)))
      const facts = successes > 1 ? `${successes} times` : ''
      return { place, write: (maxBytes) => named(command(), facts, Math.min(maxBytes, CALL_BYTES)) }
    })
    .reverse()
}

/** The files that the session changed last first; then those that only its sub-agents changed. */
export function fileItems(edits: SessionEdits, ofAgents: readonly TouchedFile[], clean: Clean): Item[] {
  const byName = new Map<string, SessionEdit[]>()
  for (const edit of edits.prompts.flatMap((prompt) => prompt.edits)) {
    const before = byName.get(edit.name) ?? []
    byName.delete(edit.name)
    byName.set(edit.name, [...before, edit])
  }
  const own = [...byName].map(([name, changes]) => ({ name, facts: stateOf(changes) })).reverse()
  const theirs = ofAgents.flatMap(({ name, writes, edits: count }) =>
    writes + count === 0 || byName.has(name)
      ? []
      : { name, facts: `${formatPlural(writes + count, 'change')} by a sub-agent` },
  )
  return [...own, ...theirs].map(({ name, facts }, place) => ({
    place,
    write: (maxBytes) => named(clean(name), facts, maxBytes),
  }))
}

const DOUBTS: Record<EditDoubt, string> = {
  rewound: 'a change was rewound',
  unrecorded: 'what was written is not recorded',
  misfit: 'something else changed it',
  overlap: 'a later edit took part of it',
  subagent: 'a sub-agent changed it later',
  'too-large': 'too large to be compared',
}

/** `2 edits stand, 1 is gone, +12 -3` */
function stateOf(edits: readonly SessionEdit[]): string {
  const count = (state: SessionEdit['state']) => edits.filter((edit) => edit.state === state).length
  const told = (state: SessionEdit['state'], one: string, many: string) =>
    count(state) === 0 ? [] : `${formatPlural(count(state), 'edit')} ${count(state) === 1 ? one : many}`
  const doubts = new Set(edits.flatMap(({ doubt }) => (doubt === null ? [] : DOUBTS[doubt])))
  const made = edits.filter(({ state, lines }) => state !== 'not-made' && lines !== null)
  const [added, removed] = made.reduce(
    ([plus = 0, minus = 0], { lines }) => [
      plus + (lines?.linesAdded ?? 0),
      minus + (lines?.linesRemoved ?? 0),
    ],
    [0, 0],
  )
  return [
    told('stands', 'stands', 'stand'),
    told('partly', 'stands in part', 'stand in part'),
    told('gone', 'is gone', 'are gone'),
    told('unknown', 'may or may not stand', 'may or may not stand'),
    [...doubts],
    told('not-made', 'was not made', 'were not made'),
    made.length === 0 ? [] : `+${added} -${removed}`,
  ]
    .flat()
    .join(', ')
}

/** `Shell, failed, exit 1` */
export function factsOf(call: ToolCall): string {
  const end = call.failed
    ? ['failed']
    : call.status === 'success'
      ? []
      : [call.status === 'unanswered' ? 'no result' : 'not done']
  const given = new Set(call.extraParts.flatMap(({ kind }) => GIVEN[kind] ?? []))
  return [labelOf(call), ...end, ...exitOf(call), ...given].join(', ')
}

/** `Shell, still failing, exit 2, 2 of 3 runs failed, 2026-11-20T09:10:00.000Z` */
function openFacts({ call, fate, failures, runs, timestamp }: OpenRuns): string {
  return [
    labelOf(call),
    FATE_WORDS[fate],
    ...exitOf(call),
    ...(runs > 1 ? [`${failures} of ${runs} runs failed`] : []),
    timestamp ?? 'no time recorded',
  ].join(', ')
}

function labelOf({ name }: ToolCall): string {
  const label = toolLabel(name)
    .replace(/[\s`>]+/g, ' ')
    .slice(0, 80)
    .trim()
  return label === '' ? 'A tool' : label
}

function exitOf({ failed, exitCode }: ToolCall): string[] {
  return failed && exitCode !== null ? [`exit ${exitCode}`] : []
}

/** Of a result, what cannot be quoted. */
const GIVEN: Partial<Record<Part['kind'], string>> = {
  image: 'returned an image',
  audio: 'returned audio',
  file: 'returned a file',
}

/** What a failed call gave back, where that is text. */
function outputText(output: ToolOutput): string {
  if (output.kind === 'ansi')
    return output.lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
  return 'text' in output ? output.text : ''
}

function fitting(text: string, maxBytes: number): Piece | null {
  return bytesOf(text) > maxBytes ? null : { text, isShortened: false }
}

/** Redaction of what is never written would take long in a long session. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
