import type { Doctor } from '@gemini-dash/api'
import { describeCopiedSessions, formatPlural } from '../../lib/figures/format.ts'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'
import { SessionLink } from './session-link.tsx'

/** Sessions that repeat requests of others, which count them. */
export function CopiedSessions({ copied }: { copied: Doctor['copiedSessions'] }) {
  if (copied.length === 0) return null
  return (
    <FindingGroup title="Copied sessions" lead={describeCopiedSessions(copied)}>
      <FindingList items={copied} keyOf={({ key }) => key}>
        {({ key, title, from, requests }) => (
          <>
            <SessionLink sessionKey={key} title={title} />
            <p className="where">
              {formatPlural(requests, 'request')} from <SessionLink sessionKey={from} title="the original" />
            </p>
          </>
        )}
      </FindingList>
    </FindingGroup>
  )
}
