import './files-touched.css'
import type { SessionSummary } from 'gemini-sessions'
import { FileDiff } from 'lucide-react'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FilesTouchedBody } from './files-touched-body.tsx'

interface Props {
  sessionRef: string
  session: SessionSummary
  onJump: (messageKey: string, offset: number | null) => void
}

/** Which files the session's tools read and changed. Asked for only when it is opened: that reads all of its edits. */
export function FilesTouched({ sessionRef, session, onJump }: Props) {
  if (session.counts?.toolCalls === 0 && session.subagentKeys.length === 0) return null
  return (
    <section className="files-touched" aria-label="Files touched">
      <Disclosure
        headClassName="files-touched-head"
        bodyClassName="files-touched-body"
        head={
          <>
            <Icon of={FileDiff} small />
            <b>Files touched</b>
            <span>what was read, changed, and what it came to</span>
          </>
        }
      >
        {() => <FilesTouchedBody sessionRef={sessionRef} session={session} onJump={onJump} />}
      </Disclosure>
    </section>
  )
}
