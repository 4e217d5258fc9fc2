import { use } from 'react'
import { agentFigures } from '../../../../../../features/conversation/tool/agent/agent-figures.ts'
import { AgentMessage } from '../../../../../../features/conversation/tool/agent/agent-message.tsx'
import type { DrawCalls } from '../../../../../../features/conversation/tool/call/draw-calls.ts'
import { Disclosure } from '../../../../../../ui/controls/disclosure.tsx'
import { PaperAgents } from '../../../../../sheet/paper-agents.ts'

interface Props {
  agentKey: string
  drawCalls: DrawCalls
}

/** The conversation of a sub-agent, folded; where it does not leave along, where it is. */
export function AgentConversation({ agentKey, drawCalls }: Props) {
  const agent = use(PaperAgents).get(agentKey)
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
        head={
          <>
            <span>Its conversation</span>
            <span className="agent-figures">{agentFigures(agent.session)}</span>
          </>
        }
      >
        {() =>
          agent.messages.map((message, index) => (
            <AgentMessage
              key={message.key}
              agentKey={agentKey}
              message={message}
              isFirst={index === 0}
              drawCalls={drawCalls}
            />
          ))
        }
      </Disclosure>
    </div>
  )
}
