import { createTwoFilesPatch } from 'diff'
import type { ToolOutput } from 'gemini-sessions'
import { type ComponentProps, Suspense } from 'react'
import { lazyPanel } from '../ui/lazy.tsx'
import { parsePatch } from './parse-patch.ts'

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** Diffing two large files would block the page. */
const MAX_COMPARED_LENGTH = 400_000

/** The unified diff to draw: the recorded one, or one computed from both versions. null if neither exists, or if they are too large. */
export function buildPatch(output: Diff): string | null {
  if (output.fileDiff.trim() !== '') return output.fileDiff
  const before = output.originalContent ?? ''
  const after = output.newContent ?? ''
  if (output.originalContent === null && output.newContent === null) return null
  if (before.length + after.length > MAX_COMPARED_LENGTH) return null
  return createTwoFilesPatch(output.fileName, output.fileName, before, after, '', '', { context: 3 })
}

/** A patch for `git apply` and `patch -p1`: the hunks with the headers these expect. '' if there are none. */
export function copiedPatch(patch: string, path: string, isNewFile: boolean): string {
  const start = patch.startsWith('@@') ? 0 : patch.indexOf('\n@@') + 1
  if (start === 0 && !patch.startsWith('@@')) return ''
  const name = path.replace(/^\/+/, '')
  const hunks = patch.slice(start)
  return `--- ${isNewFile ? '/dev/null' : `a/${name}`}\n+++ b/${name}\n${hunks.endsWith('\n') ? hunks : `${hunks}\n`}`
}

const DiffTable = lazyPanel(() => import('./diff-table.tsx'))

const LINE_REM = 1.25
const MOST_REM = 40

/** The diff; a placeholder reserves its space while the code loads. */
export function DiffView(props: ComponentProps<typeof DiffTable>) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <DiffTable {...props} />
    </Suspense>
  )
}

/** As high as the diff. */
function Waiting({ patch, maxLines }: ComponentProps<typeof DiffTable>) {
  const lineCount = Math.min(parsePatch(patch).length, maxLines)
  const minHeight = `${Math.min(lineCount * LINE_REM, MOST_REM)}rem`
  return (
    <p className="loading-line" style={{ minHeight }}>
      Drawing the diff
    </p>
  )
}
