import './files-touched.css'
import type { SessionSummary } from 'gemini-sessions'
import { FileDiff } from 'lucide-react'
import { SectionFold } from '../../ui/controls/section-fold.tsx'
import { FilesTouchedBody } from './files-touched-body.tsx'

interface Props {
  sessionRef: string
  session: SessionSummary
  onJump: (messageKey: string, offset: number | null) => void
}

/** Which files the session's tools read and changed. Asked for only when it is opened: that reads all of its edits. */
export function FilesTouched({ sessionRef, session, onJump }: Props) {
  if (session.recorded?.toolCalls === 0 && session.subagentKeys.length === 0) return null
  return (
    <SectionFold
      icon={FileDiff}
      title="Files touched"
      note="what was read, changed, and what it came to"
      className="files-touched"
      bodyClassName="files-touched-body"
    >
      {() => <FilesTouchedBody sessionRef={sessionRef} session={session} onJump={onJump} />}
    </SectionFold>
  )
}
