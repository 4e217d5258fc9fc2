import './file-calls.css'
import type { ToolOutput } from 'gemini-sessions'
import { useMemo, useState } from 'react'
import { buildPatch } from '../diff/build-patch.ts'
import { DiffView } from '../diff/diff-view.tsx'

const FIRST_LINES = 40
const MAX_LINES = 5_000

/** What a change of a file came to. */
export function FileDiffView({ diff }: { diff: Extract<ToolOutput, { kind: 'diff' }> }) {
  const [isAll, setIsAll] = useState(false)
  const patch = useMemo(() => buildPatch(diff), [diff])
  if (patch === null)
    return <p className="dim">The two versions are not recorded, or too large to be compared here.</p>
  const lineCount = patch.split('\n').length
  return (
    <div className="file-diff">
      <DiffView
        patch={patch}
        name={diff.fileName}
        maxLines={isAll ? MAX_LINES : FIRST_LINES}
        layout="unified"
        hasNumbers
      />
      {lineCount > FIRST_LINES && !isAll && (
        <button type="button" className="link file-diff-more" onClick={() => setIsAll(true)}>
          Show all {lineCount} lines
        </button>
      )}
      {diff.cut !== undefined && (
        <p className="dim">Cut here: the message in the conversation has all of it.</p>
      )}
    </div>
  )
}
