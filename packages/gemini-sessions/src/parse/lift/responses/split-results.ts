import type { Part } from '../../../model/part.ts'
import { isRawObject } from '../../../raw/raw-object.ts'
import type { LogEntry } from '../../row/log-entry.ts'
import { flattenContent } from '../parts/flatten-content.ts'
import { toParts } from '../parts/to-parts.ts'
import { toToolOutput } from '../parts/to-tool-output.ts'
import type { LiftContext } from './lift-context.ts'
import { splitToolTurn } from './split-tool-turn.ts'

interface SplitResults {
  /** The content without tool results: they are drawn with their calls. */
  spoken: unknown
  /** Results whose call is recorded nowhere: shown here, or they would be lost. */
  orphans: Part[]
}

/** Takes the results that a `user` turn (0.44+) brings back out of what it says. */
export function splitResults({ type, content }: LogEntry, at: string, context: LiftContext): SplitResults {
  if (type !== 'user' || typeof content === 'string') return { spoken: content, orphans: [] }
  const { answers, rest } = splitToolTurn(flattenContent(content))
  if (answers.length === 0) return { spoken: content, orphans: [] }
  const orphans = answers.filter(([part]) => context.rest.isOrphan(part))
  return { spoken: rest, orphans: orphans.flatMap((answer) => toOrphanParts(answer, at, context)) }
}

function toOrphanParts([part, ...beside]: readonly unknown[], at: string, { problems }: LiftContext): Part[] {
  const { response, parts } =
    isRawObject(part) && isRawObject(part.functionResponse) ? part.functionResponse : {}
  const output = toToolOutput(response, at, problems)
  const said: Part[] =
    'text' in output
      ? [{ kind: 'text', text: output.text }]
      : output.kind === 'unknown'
        ? [{ kind: 'unknown', json: output.json }]
        : []
  return [...said, ...toParts([...beside, ...flattenContent(parts)], at, problems)]
}
