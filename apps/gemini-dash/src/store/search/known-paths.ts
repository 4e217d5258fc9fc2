import { formatPlural } from '@gemini-dash/api/figures'
import type { TouchedPath } from '@gemini-dash/session-index'
import { foldTextOnly } from '@gemini-dash/session-index'
import type { KnownValue } from './known-values.ts'

/** Paths that calls touched as they are written after `file:`, most touched first: from the root of their project on, unless more was typed. */
export function knownPaths(
  touched: readonly TouchedPath[],
  typed: string,
  projectPaths: readonly string[],
): KnownValue[] {
  const roots = projectPaths.map((path) => path.replace(/\/*$/, '/')).sort((a, b) => b.length - a.length)
  const text = foldTextOnly(typed)
  const messages = new Map<string, number>()
  for (const { path, messages: count } of touched) {
    // The root itself is no file.
    if (path === '.' || path === './' || roots.includes(path.replace(/\/*$/, '/'))) continue
    const root = roots.find((known) => path.startsWith(known)) ?? (path.startsWith('./') ? './' : '')
    const rest = path.slice(root.length)
    const value = foldTextOnly(rest).includes(text) ? rest : path
    messages.set(value, (messages.get(value) ?? 0) + count)
  }
  return [...messages]
    .sort(([a, most], [b, other]) => other - most || (a < b ? -1 : 1))
    .map(([value, count]) => ({
      value,
      hint: formatPlural(count, 'message'),
    }))
}
