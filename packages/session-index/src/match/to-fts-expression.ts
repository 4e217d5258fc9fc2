import type { SearchField } from '@gemini-dash/api'
import type { Phrase } from './parse-words.ts'

/** Messages that hold all phrases, within the given columns together. */
export function allPhrases(phrases: Phrase[], fields: readonly SearchField[]): string {
  return `${columns(fields)} : (${phrases.map(quote).join(' AND ')})`
}

/** The same messages, but only those with one of the phrases in this very column. */
export function allPhrasesWithOneIn(
  phrases: Phrase[],
  fields: readonly SearchField[],
  field: SearchField,
): string {
  return `(${allPhrases(phrases, fields)}) AND (${columns([field])} : (${phrases.map(quote).join(' OR ')}))`
}

function columns(fields: readonly SearchField[]): string {
  return `{${fields.map((field) => `"${field}"`).join(' ')}}`
}

/** Every phrase is a quoted string, so nothing in it is read as an operator. */
function quote(phrase: Phrase): string {
  return `"${phrase.map((word) => word.replaceAll('"', '""')).join(' ')}"`
}
