import type { SuggestionList, SuggestQuery } from '@gemini-dash/api'
import {
  findCompletion,
  foldTextOnly,
  QUERY_OPERATORS,
  type TouchedPath,
  writeValue,
} from '@gemini-dash/session-index'
import { ownZone } from '../times/time-zone.ts'
import { knownPaths } from './known-paths.ts'
import { type KnownValue, knownValues } from './known-values.ts'
import type { SearchScope } from './search-scope.ts'

type Suggestion = SuggestionList['items'][number]

const MOST_SUGGESTIONS = 12
/** Of each kind, where the kind is not said. */
const MOST_OF_A_KIND = 3
/** Kinds whose values are offered for a plain word. */
const GUESSED_FIELDS = ['project', 'model', 'tool']

/** What the word or value at the caret could go on as: names of filters, and the values that there are. */
export async function suggestSearch(
  { q, at = q.length, tz }: SuggestQuery,
  scope: SearchScope,
  touchedPaths: (typed: string) => Promise<TouchedPath[]>,
  nowMs: number,
): Promise<SuggestionList> {
  const completion = findCompletion(q, Math.min(at, q.length))
  if (completion === null) return { start: at, end: at, items: [] }
  const { field, typed, start, end } = completion
  const context = { scope, zone: tz ?? ownZone(), nowMs }
  const isLast = end === q.length
  const toSuggestion = (prefix: string, { value, hint }: KnownValue): Suggestion => ({
    text: `${prefix}${writeValue(value)}${isLast ? ' ' : ''}`,
    label: `${prefix}${value}`,
    hint,
  })
  const paths = async (): Promise<KnownValue[]> => {
    const path = typed.replaceAll('\\', '/')
    const roots = scope.projects.flatMap((project) => project.path ?? [])
    return matching(knownPaths(await touchedPaths(path), path, roots), path, MOST_SUGGESTIONS)
  }
  if (field !== null) {
    const items =
      field === 'file' ? await paths() : matching(knownValues(field, context), typed, MOST_SUGGESTIONS)
    return { start, end, items: items.map((value) => toSuggestion('', value)) }
  }
  const operators = QUERY_OPERATORS.filter(({ name }) => name.startsWith(typed.toLowerCase()))
  const guesses = GUESSED_FIELDS.flatMap((name) =>
    typed.length < 2
      ? []
      : matching(knownValues(name, context), typed, MOST_OF_A_KIND).map((value) =>
          toSuggestion(`${name}:`, value),
        ),
  )
  const items = [
    ...operators.map(({ name, hint }) => ({ text: `${name}:`, label: `${name}:`, hint })),
    ...guesses,
  ]
  return { start, end, items: items.slice(0, MOST_SUGGESTIONS) }
}

/** Values that begin as typed come before those that only hold it. */
function matching(values: KnownValue[], typed: string, most: number): KnownValue[] {
  const text = foldTextOnly(typed)
  const begins = ({ value }: KnownValue) => foldTextOnly(value).startsWith(text)
  const holds = ({ value, hint }: KnownValue) =>
    foldTextOnly(value).includes(text) || foldTextOnly(hint).includes(text)
  const first = values.filter(begins)
  const others = text === '' ? [] : values.filter((value) => !begins(value) && holds(value))
  return [...first, ...others].slice(0, most)
}
