import { useMemo } from 'react'
import type { CodeToken } from '../highlight/code-token.ts'
import { useHighlight } from '../highlight/use-highlight.ts'
import type { PatchLine } from './parse-patch.ts'

/** Colours of a diff's lines by their index: removed lines as part of the old text, the others of the new one. */
export function useDiffColours(
  lines: readonly PatchLine[],
  language: string | null,
): Map<number, CodeToken[]> {
  const before = useSide(lines, 'removed', language)
  const after = useSide(lines, 'added', language)
  return useMemo(() => new Map([...before, ...after]), [before, after])
}

function useSide(lines: readonly PatchLine[], own: 'removed' | 'added', language: string | null) {
  const side = useMemo(() => lines.filter(({ kind }) => kind === own || kind === 'same'), [lines, own])
  const code = useMemo(
    () => (language === null ? '' : side.map(({ text }) => text).join('\n')),
    [side, language],
  )
  const coloured = useHighlight(code, language)
  return useMemo(
    () =>
      side.flatMap((line, at): [number, CodeToken[]][] => {
        const tokens = coloured[at]?.tokens
        return tokens === undefined || tokens.every(({ role }) => role === null) ? [] : [[line.index, tokens]]
      }),
    [side, coloured],
  )
}
