import type { Plan } from '../../model/neighbours.ts'
import type { FoundFile } from './found-file.ts'
import { readPiece } from './read-piece.ts'

const MAX_PLAN_BYTES = 64 * 1024

/** A plan that plan mode wrote: Markdown. */
export function readPlan(found: FoundFile, scope: Plan['scope']): Plan | null {
  const text = readPiece(found, MAX_PLAN_BYTES)
  return text === null
    ? null
    : { scope, file: found.file, text, isCut: found.file.sizeBytes > MAX_PLAN_BYTES }
}
