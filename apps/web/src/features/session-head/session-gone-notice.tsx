import './session-gone-notice.css'
import { Notice } from '../../ui/states/notice.tsx'

/** Stays in sight, wherever the reader is: what they see is all that is left of it. */
export function SessionGoneNotice() {
  return (
    <div className="session-gone-notice" role="status">
      <Notice tone="warning">
        <b>This session was deleted from disk.</b> What is on this page stays readable until you close or
        reload it.
      </Notice>
    </div>
  )
}
