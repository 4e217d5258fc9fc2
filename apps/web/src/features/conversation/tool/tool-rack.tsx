import type { ToolCall } from 'gemini-sessions'
import { CardBoundary } from '../part/card-boundary.tsx'
import type { DrawCalls } from './call/draw-calls.ts'
import { ToolCard } from './tool-card.tsx'

/** The calls of one message, in one frame. A card that cannot be drawn leaves the others alone. */
export function ToolRack({
  messageKey,
  calls,
  isPending,
}: {
  messageKey: string
  calls: ToolCall[]
  isPending: boolean
}) {
  return (
    <div className="tool-rack">
      {calls.map((call, index) => {
        const id = `${messageKey}/call-${index}`
        return (
          <CardBoundary key={id} what={call.name} data={call}>
            <ToolCard
              id={id}
              call={call}
              isPending={isPending && index === calls.length - 1}
              drawCalls={drawNested}
            />
          </CardBoundary>
        )
      })}
    </div>
  )
}

const drawNested: DrawCalls = (messageKey, calls) => (
  <ToolRack messageKey={messageKey} calls={calls} isPending={false} />
)
