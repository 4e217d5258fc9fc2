import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Message, SessionSummary } from 'gemini-sessions'
import { Diamond, Info, Lightbulb, UserRound } from 'lucide-react'
import { useState } from 'react'
import { messagesQuery, sessionQuery } from '../../../api/session.ts'
import { MachineText } from '../../../content/machine-text.tsx'
import { Markdown } from '../../../content/markdown.tsx'
import { formatCost, formatPlural, formatTokens } from '../../../lib/figures.ts'
import { usePaper } from '../../../lib/paper.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Failed } from '../../../ui/states.tsx'
import { useOpen } from '../open-store.ts'
import { PartBody } from '../part-body.tsx'
import type { DrawCalls } from './tool-argument.ts'

const PAGE_SIZE = 50

interface Props {
  id: string
  agentKey: string
  drawCalls: DrawCalls
}

/** The conversation of a sub-agent, opened in place, with its figures. */
export function AgentConversation(props: Props) {
  const paper = usePaper()
  if (paper === null) return <AskedConversation {...props} />
  const { agentKey, drawCalls } = props
  const agent = paper.agents.get(agentKey)
  if (agent === undefined)
    return (
      <p className="output-remark">
        Its conversation is a session of its own: <span className="mono">{agentKey}</span>
      </p>
    )
  return (
    <div className="agent-conversation">
      <Disclosure
        headClassName="agent-conversation-head"
        bodyClassName="agent-messages"
        head={<Head session={agent.session} />}
      >
        {() => <AgentMessages agentKey={agentKey} messages={agent.messages} drawCalls={drawCalls} />}
      </Disclosure>
    </div>
  )
}

function AskedConversation({ id, agentKey, drawCalls }: Props) {
  const [isOpen, setOpen] = useOpen(`${id}/conversation`)
  const { data } = useQuery(sessionQuery(agentKey))
  return (
    <div className="agent-conversation">
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="agent-conversation-head"
        head={<Head session={data?.session} />}
      >
        {() => <Messages agentKey={agentKey} total={data?.messageTotal ?? null} drawCalls={drawCalls} />}
      </Disclosure>
      <Link to="/s/$key" params={{ key: agentKey }} className="link agent-link">
        Open as page
      </Link>
    </div>
  )
}

function Head({ session }: { session: SessionSummary | undefined }) {
  return (
    <>
      <span>Its conversation</span>
      {session !== undefined && <span className="agent-figures meta">{agentFigures(session)}</span>}
    </>
  )
}

interface MessagesProps {
  agentKey: string
  /** null while unknown. */
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
      <AgentMessages agentKey={agentKey} messages={messages} drawCalls={drawCalls} />
      {pages.some(({ isPending }) => isPending) && <p className="loading-line">Reading</p>}
      {left > 0 && (
        <Button look="quiet" size="tiny" onClick={() => setPageCount(pageCount + 1)}>
          Show {formatPlural(Math.min(left, PAGE_SIZE), 'more message')}
        </Button>
      )}
    </div>
  )
}

interface AgentMessagesProps {
  agentKey: string
  messages: readonly Message[]
  drawCalls: DrawCalls
}

function AgentMessages({ messages, ...rest }: AgentMessagesProps) {
  return messages.map((message, index) => (
    <AgentMessage key={message.key} message={message} isFirst={index === 0} {...rest} />
  ))
}

/** One line of figures for a sub-agent including those it started. */
function agentFigures({ counts, withSubagents }: SessionSummary): string {
  const { usage, cost, toolCalls } = withSubagents
  return [
    counts === null ? null : formatPlural(counts.answers, 'answer'),
    toolCalls === null ? null : formatPlural(toolCalls, 'tool call'),
    usage === null ? null : `${formatTokens(usage.total)} tokens`,
    cost === null ? null : formatCost(cost),
  ]
    .filter((figure) => figure !== null && figure !== '-')
    .join(', ')
}

interface AgentMessageProps {
  agentKey: string
  message: Message
  /** The first message: the sub-agent's task. */
  isFirst: boolean
  drawCalls: DrawCalls
}

/** One message of a sub-agent inside its parent's tool call: thoughts, text, tool calls. */
function AgentMessage({ agentKey, message, isFirst, drawCalls }: AgentMessageProps) {
  const id = `${agentKey} ${message.key}`
  const hasWords = message.content.some((part) => part.kind !== 'text' || part.text.trim() !== '')
  // results are drawn with the tool calls they answer
  if (message.origin === 'tool-result' && !hasWords) return null
  return (
    <div className="agent-message">
      {message.thoughts.length > 0 && <Thoughts id={id} message={message} />}
      {hasWords && (
        <div className="agent-said">
          <p className="agent-part">
            <Icon of={iconOf(message)} small />
            {speakerOf(message, isFirst)}
          </p>
          {message.content.map((part, index) =>
            part.kind === 'text' && part.cut === undefined ? (
              <Markdown key={`${index} text`} text={part.text} isSmall />
            ) : (
              <PartBody key={`${index} ${part.kind}`} id={`${id}/part-${index}`} part={part} />
            ),
          )}
        </div>
      )}
      {message.toolCalls.length > 0 && drawCalls(id, message.toolCalls)}
    </div>
  )
}

function Thoughts({ id, message: { thoughts } }: { id: string; message: Message }) {
  const [isOpen, setOpen] = useOpen(`${id}/thoughts`)
  return (
    <Disclosure
      isOpen={isOpen}
      onToggle={setOpen}
      headClassName="agent-thoughts"
      head={
        <>
          <Icon of={Lightbulb} small />
          <b>{formatPlural(thoughts.length, 'thought')}</b>
          {!isOpen && (
            <span className="agent-words" dir="auto">
              <MachineText text={thoughts[0]?.subject ?? ''} />
            </span>
          )}
        </>
      }
    >
      {() =>
        thoughts.map(({ subject, description }, index) => (
          <div key={`${index} ${subject}`} className="agent-thought">
            {subject !== '' && (
              <b dir="auto">
                <MachineText text={subject} />
              </b>
            )}
            <Markdown text={description} isSmall />
          </div>
        ))
      }
    </Disclosure>
  )
}

function iconOf({ type }: Message) {
  if (type === 'gemini') return Diamond
  return type === 'user' ? UserRound : Info
}

function speakerOf({ type, origin }: Message, isFirst: boolean): string {
  if (type === 'gemini') return 'Sub-agent'
  if (type !== 'user') return 'Gemini CLI'
  return isFirst || origin === 'human' ? 'Task' : 'Context'
}
