/** A sub-agent's conversation is a session, and leaves as one. */
export function AgentConversation({ agentKey }: { agentKey: string }) {
  return (
    <p className="output-remark">
      Its conversation is a session of its own: <span className="mono">{agentKey}</span>
    </p>
  )
}
