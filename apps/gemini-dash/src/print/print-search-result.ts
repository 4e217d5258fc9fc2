import type { SearchHit, SearchResult } from '@gemini-dash/api'
import { formatColumnTime } from '@gemini-dash/api/figures'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { escapeLine } from './escape-controls.ts'
import type { Paint } from './paint.ts'
import { createPaint } from './paint.ts'

/** A line a hit: session, field, message, time, snippet, with tabs between them. */
export function printPlainHits({ hits }: SearchResult): string {
  return hits
    .map(({ sessionKey, field, messageKey, timestamp, snippet: text }) =>
      [sessionKey, field, messageKey ?? '', timestamp ?? '', text]
        .map((cell) => escapeLine(cell).replaceAll('\t', ' '))
        .join('\t'),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** Hits under the session in which they stand, sessions in the order of their first hit. */
export function printSearchResult({ hits, sessions }: SearchResult, isColorful: boolean): string {
  const paint = createPaint(isColorful)
  const bySession = new Map<string, SearchHit[]>()
  for (const hit of hits) bySession.set(hit.sessionKey, [...(bySession.get(hit.sessionKey) ?? []), hit])

  const blocks = [...bySession].map(([key, hitsOfSession]) => {
    const session = sessions[key]
    const title = paint.bold(escapeLine(session?.title ?? key))
    const where = paint.dim(
      escapeLine(`${session?.project.name ?? ''}  ${formatColumnTime(session?.startTime ?? null)}  ${key}`),
    )
    return [`${title}  ${where}`, ...hitsOfSession.map((hit) => hitLine(hit, paint))].join('\n')
  })
  return blocks.map((block) => `${block}\n`).join('\n')
}

function hitLine(hit: SearchHit, paint: Paint): string {
  const field = (hit.toolName === null ? hit.field : `${hit.field} ${toolLabel(hit.toolName)}`).padEnd(12)
  return `  ${paint.dim(escapeLine(field))}  ${snippet(hit, paint)}`
}

function snippet({ snippet: text, ranges }: SearchHit, paint: Paint): string {
  let line = ''
  let at = 0
  for (const [start, end] of ranges) {
    line += escapeLine(text.slice(at, start)) + paint.bold(escapeLine(text.slice(start, end)))
    at = end
  }
  return line + escapeLine(text.slice(at))
}
