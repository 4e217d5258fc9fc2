import type { SessionDetail } from '@gemini-dash/api'
import { Notice } from '../../../ui/states/notice.tsx'

const CAUSES: Record<NonNullable<SessionDetail['buriedBy']>, string> = {
  rewound: 'All of it was taken back with /rewind.',
  refused: 'The request failed, and the prompt was taken back.',
  'failed-load': 'The CLI began to load it again and did not get far: only its context is left.',
  cleared: 'Its messages were cleared.',
}

/** Above a session that the CLI itself would show empty. */
export function BuriedNotice({ cause }: { cause: SessionDetail['buriedBy'] }) {
  return (
    <Notice tone="warning">
      <b>The CLI holds nothing of this conversation any more.</b> {cause !== null && CAUSES[cause]} The log
      still does; this is its last one.
    </Notice>
  )
}
