import './files-touched.css'
import type { SessionSummary } from 'gemini-sessions'
import { FilesTouchedBody } from './files-touched-body.tsx'

interface Props {
  sessionRef: string
  session: SessionSummary
  onJump: (messageKey: string, offset: number | null) => void
}

/** Which files the session's tools read and changed. Asked for only when it is opened: that reads all of its edits. */
export function FilesTouched(props: Props) {
  return (
    <section className="files-touched" aria-label="Files touched">
      <div className="files-touched-body">
        <FilesTouchedBody {...props} />
      </div>
    </section>
  )
}
