import '../../ui/frames/panel.css'
import './session-context.css'
import { useQuery } from '@tanstack/react-query'
import type { SessionSummary } from 'gemini-sessions'
import { healthQuery } from '../../api/health.ts'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { ContextXrayView } from '../../features/context-xray/context-xray.tsx'
import { SessionWhy } from '../../features/session-why/session-why.tsx'
import { WastePanel } from '../../features/waste/waste-panel.tsx'
import { WhatIfView } from '../../features/what-if/what-if.tsx'
import { Failed } from '../../ui/states/failed.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'

interface Props {
  sessionRef: string
  session: SessionSummary
  /** Message of the call that is looked at; undefined: the last one. */
  chosenKey: string | undefined
  onChoose: (messageKey: string) => void
  /** Brings a message into sight. */
  onOpen: (messageKey: string) => void
}

/** A session by where its cost went, by what its prompts held, and by what it did twice. */
export default function SessionContext({ sessionRef, session, chosenKey, onChoose, onOpen }: Props) {
  const xray = useQuery(sessionAnswerQuery('context', sessionRef))
  const { data: health } = useQuery(healthQuery())
  const hasPrices = health?.prices.plan !== 'nothing'
  const waste = useQuery(sessionAnswerQuery('waste', sessionRef))
  const countedIn = session.usage?.calls === 0 ? (session.copiedFrom?.sessionKey ?? null) : null
  const hasCost = hasPrices && (countedIn === null || session.subagentKeys.length > 0)
  return (
    <div className="session-context in-order">
      {hasCost && (
        <div className="session-cost in-order">
          <SessionWhy sessionRef={sessionRef} session={session} />
          <WhatIfView sessionRef={sessionRef} hasSubagents={session.subagentKeys.length > 0} isPanel />
        </div>
      )}
      {xray.data !== undefined && (
        <ContextXrayView
          xray={xray.data}
          {...{ sessionRef, countedIn, hasPrices, chosenKey, onChoose, onOpen }}
        />
      )}
      {xray.data === undefined && xray.error === null && (
        <SkeletonRows count={8} label="Looking into the prompts" />
      )}
      {xray.error !== null && (
        <Failed
          what="The prompts could not be looked into."
          error={xray.error}
          onRetry={() => void xray.refetch()}
        />
      )}
      {waste.data !== undefined && <WastePanel sessionRef={sessionRef} waste={waste.data} />}
      {waste.error !== null && (
        <Failed
          what="The calls could not be compared."
          error={waste.error}
          onRetry={() => void waste.refetch()}
        />
      )}
    </div>
  )
}
