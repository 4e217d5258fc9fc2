import { createTwoFilesPatch } from 'diff'
import type { ToolOutput } from 'gemini-sessions'

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** Comparing two large files line by line would hold the page up. */
const MAX_COMPARED_LENGTH = 400_000

/**
 * The unified diff to draw: as recorded, or made from the two versions where only those were.
 * null where neither is there, or they are too large to be compared here.
 */
export function buildPatch(output: Diff): string | null {
  if (output.fileDiff.trim() !== '') return output.fileDiff
  const before = output.originalContent ?? ''
  const after = output.newContent ?? ''
  if (output.originalContent === null && output.newContent === null) return null
  if (before.length + after.length > MAX_COMPARED_LENGTH) return null
  return createTwoFilesPatch(output.fileName, output.fileName, before, after, '', '', { context: 3 })
}
