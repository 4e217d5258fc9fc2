import { apiPaths } from '@gemini-dash/api/paths'
import { useState } from 'react'
import { ExportChoices, useExportChoice } from './export-choices.tsx'
import { ExportFrame } from './export-frame.tsx'
import { REDACTED_KINDS } from './redacted-kinds.ts'

interface Props {
  /** Which sessions, as `/api/export` is asked. */
  which: Record<string, string | undefined>
  /** The same in words. */
  said: string
  onClose: () => void
}

/** How several sessions leave together: what is taken out is chosen by kind. */
export default function ExportSeveralDialog({ which, said, onClose }: Props) {
  const { choice, choose, isRedacted, queryOf } = useExportChoice()
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const toggle = (kind: string) => {
    const next = new Set(kept)
    if (!next.delete(kind)) next.add(kind)
    setKept(next)
  }
  return (
    <ExportFrame
      title={`Export ${said}`}
      href={apiPaths.exportedSeveral({ ...which, ...queryOf(kept) })}
      onClose={onClose}
    >
      <p className="dialog-said">A file for each session, together in a zip.</p>
      <ExportChoices choice={choice} onChoose={choose} />
      {isRedacted && (
        <fieldset className="export-kinds">
          <legend className="dialog-said">
            What is taken out. The export of a single session shows each place.
          </legend>
          {Object.entries(REDACTED_KINDS).map(([kind, name]) => (
            <label key={kind} className="export-kind-head">
              <input type="checkbox" checked={!kept.has(kind)} onChange={() => toggle(kind)} />
              <b>{name}</b>
            </label>
          ))}
        </fieldset>
      )}
    </ExportFrame>
  )
}
