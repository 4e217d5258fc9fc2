import '../../ui/frames/panel.css'
import './timeline-table.css'
import type { Timeline } from 'gemini-sessions'
import { useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { clockAt, STEP_WORDS, stepLength, stepName } from './timeline-words.ts'

const PAGE_ROWS = 200

/** The same as a table: when it was recorded, what it was, and how long it took at most. */
export function TimelineTable({
  timeline,
  onOpen,
}: {
  timeline: Timeline
  onOpen: (sessionKey: string, messageKey: string, offset: number) => void
}) {
  const [shown, setShown] = useState(PAGE_ROWS)
  return (
    <ScrollRegion label="Timeline as a table" className="timeline-table">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">Recorded</th>
            <th scope="col">Turn</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col" className="num">
              Took at most
            </th>
          </tr>
        </thead>
        <tbody>
          {timeline.steps.slice(0, shown).map((step, index) => (
            <tr key={`${index} ${step.sessionKey} ${step.messageKey}`}>
              <td>
                <button
                  type="button"
                  className="link"
                  onClick={() => onOpen(step.sessionKey, step.messageKey, step.offset)}
                >
                  {clockAt(timeline, step.atMs)}
                </button>
              </td>
              <td className="num">{step.turn}</td>
              <td>{step.depth > 0 ? `${STEP_WORDS[step.kind]} (sub-agent)` : STEP_WORDS[step.kind]}</td>
              <td className="timeline-what" dir="auto">
                {step.kind === 'prompt' || step.kind === 'notice'
                  ? step.label
                  : `${stepName(step)} ${step.detail}`}
                {step.failed && <b className="tone-error"> failed</b>}
              </td>
              <td className="num">{stepLength(step)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {timeline.steps.length > shown && (
        <Button look="quiet" onClick={() => setShown(shown + PAGE_ROWS)}>
          Show {Math.min(PAGE_ROWS, timeline.steps.length - shown)} more steps
        </Button>
      )}
    </ScrollRegion>
  )
}
