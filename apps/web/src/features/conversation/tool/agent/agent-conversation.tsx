import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messagesQuery } from '../../../../api/session/messages.ts'
import { sessionQuery } from '../../../../api/session/session.ts'
import { formatPlural } from '../../../../lib/figures/format.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { Failed } from '../../../../ui/states/failed.tsx'
import { useOpen } from '../../open/open-store.ts'
import type { DrawCalls } from '../call/draw-calls.ts'
import { agentFigures } from './agent-figures.ts'
import { AgentMessage } from './agent-message.tsx'

const PAGE_SIZE = 50

interface Props {
  id: string
  agentKey: string
  drawCalls: DrawCalls
}

/** The conversation of a sub-agent, opened in place, with what it took. */
export function AgentConversation({ id, agentKey, drawCalls }: Props) {
  const [isOpen, setOpen] = useOpen(`${id}/conversation`)
  const { data } = useQuery(sessionQuery(agentKey))
  return (
    <div className="agent-conversation">
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="agent-conversation-head"
        head={
          <>
            <span>Its conversation</span>
            {data !== undefined && <span className="agent-figures">{agentFigures(data.session)}</span>}
          </>
        }
      >
        {() => <Messages agentKey={agentKey} total={data?.messageTotal ?? null} drawCalls={drawCalls} />}
      </Disclosure>
      <Link to="/s/$key" params={{ key: agentKey }} className="link agent-link">
        Open as page
      </Link>
    </div>
  )
}

interface MessagesProps {
  agentKey: string
  /** null while it is not known. */
  total: number | null
  drawCalls: DrawCalls
}

function Messages({ agentKey, total, drawCalls }: MessagesProps) {
  const [pageCount, setPageCount] = useState(1)
  const pages = useQueries({
    queries: Array.from({ length: pageCount }, (_, page) =>
      messagesQuery(agentKey, { offset: page * PAGE_SIZE, limit: PAGE_SIZE }),
    ),
  })
  const failed = pages.find(({ error }) => error !== null)
  const messages = pages.flatMap(({ data }) => data?.messages ?? [])
  const left = (total ?? 0) - pageCount * PAGE_SIZE
  return (
    <div className="agent-messages">
      {failed?.error && (
        <Failed
          what="The sub-agent’s messages could not be read."
          error={failed.error}
          onRetry={failed.refetch}
        />
      )}
      {messages.map((message, index) => (
        <AgentMessage
          key={message.key}
          agentKey={agentKey}
          message={message}
          isFirst={index === 0}
          drawCalls={drawCalls}
        />
      ))}
      {pages.some(({ isPending }) => isPending) && <p className="loading-line">Reading</p>}
      {left > 0 && (
        <Button look="quiet" size="tiny" onClick={() => setPageCount(pageCount + 1)}>
          Show {formatPlural(Math.min(left, PAGE_SIZE), 'more message')}
        </Button>
      )}
    </div>
  )
}
