import { z } from 'zod'
import type { TrackerTask } from '../../model/neighbours.ts'
import type { FoundFile } from './found-file.ts'
import { readPiece } from './read-piece.ts'

const MAX_TASK_BYTES = 256 * 1024

const text = z.string().catch('')
const storedTaskSchema = z.object({
  id: text,
  title: text,
  description: text,
  type: text,
  status: text,
  parentId: z.string().nullable().catch(null),
  dependencies: z.array(z.unknown()).catch([]),
})

/** One task of the tracker (`<6 hex>.json`, 0.32+). null if the file is no JSON object. */
export function readTrackerTask(found: FoundFile, scope: TrackerTask['scope']): TrackerTask | null {
  const stored = storedTaskSchema.safeParse(parse(readPiece(found, MAX_TASK_BYTES)))
  if (!stored.success) return null
  const { id, title, dependencies, ...rest } = stored.data
  const name = found.place.slice(found.place.lastIndexOf('/') + 1).replace(/\.json$/, '')
  return {
    scope,
    file: found.file,
    ...rest,
    id: id === '' ? name : id,
    title: title === '' ? name : title,
    dependencies: dependencies.filter((dependency) => typeof dependency === 'string'),
  }
}

function parse(json: string | null): unknown {
  try {
    return JSON.parse(json ?? '')
  } catch {
    return undefined
  }
}
