import { createHash } from 'node:crypto'
import type { Part, ToolOutput } from '../../src/index.ts'

const MAX_LENGTH = 200

/** The text or, if long, its digest: enough to compare. */
export function toShortText(text: string): string {
  return text.length <= MAX_LENGTH ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`
}

export function toShortParts(parts: readonly Part[]): { kind: string }[] {
  return parts.map((part) => {
    if (part.kind === 'text') return { kind: 'text', text: toShortText(part.text) }
    if (part.kind === 'unknown') return { kind: 'unknown', json: part.json }
    if (part.kind === 'code') {
      const { language, code, outcome, output } = part
      return withoutNulls({ kind: 'code', language, code, outcome, output })
    }
    const { kind, mimeType, sizeBytes, uri } = part
    return withoutNulls({ kind, mimeType, sizeBytes, uri })
  })
}

/** A tool's output or display; for diffs and terminals what is compared first. */
export function toShortOutput(output: ToolOutput): { kind: string; [field: string]: unknown } {
  switch (output.kind) {
    case 'text':
    case 'markdown':
    case 'error':
      return { kind: output.kind, text: toShortText(output.text) }
    case 'diff': {
      const { kind, fileName, linesAdded, linesRemoved, isNewFile, isRebuilt } = output
      return { kind, fileName, linesAdded, linesRemoved, isNewFile, isRebuilt }
    }
    case 'ansi': {
      const lines = output.lines.map((tokens) => tokens.map(({ text }) => text).join(''))
      return { kind: 'ansi', text: toShortText(lines.join('\n')) }
    }
    case 'search':
      return {
        kind: 'search',
        summary: output.summary,
        matches: output.matches.map(({ filePath, lineNumber, line }) => `${filePath}:${lineNumber}: ${line}`),
      }
    case 'subagent': {
      const activity = output.activity.map(({ type, content, args, status }) =>
        withoutNulls({ type, content, args, status }),
      )
      return withoutNulls({ ...output, activity })
    }
    default:
      return { ...output }
  }
}

function withoutNulls<T extends { [field: string]: unknown }>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as T
}
