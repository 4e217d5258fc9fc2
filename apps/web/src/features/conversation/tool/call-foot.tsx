import type { ToolCall } from 'gemini-sessions'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { JsonTree } from '../../../content/code/json-tree.tsx'
import { formatClock } from '../../../lib/figures/format.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { TimeText } from '../../../ui/figures/time-text.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { useOpen } from '../open/open-store.ts'
import { OutputText } from './output/output-text.tsx'

/** Below a call: its result word for word, every field of it, and when it was recorded. */
export function CallFoot({ id, call }: { id: string; call: ToolCall }) {
  const [isTextOpen, setTextOpen] = useOpen(`${id}/output`)
  const [isAllOpen, setAllOpen] = useOpen(`${id}/fields`)
  const textId = useId()
  const fieldsId = useId()
  const { output } = call
  const text = 'text' in output ? output : null
  return (
    <>
      <div className="call-foot">
        {text !== null && (
          <Toggle isOpen={isTextOpen} onToggle={setTextOpen} controls={textId}>
            What Gemini was given
          </Toggle>
        )}
        <Toggle isOpen={isAllOpen} onToggle={setAllOpen} controls={fieldsId}>
          All fields
        </Toggle>
        {call.timestamp !== null && (
          <span className="call-time">
            <span className="call-time-word">recorded </span>
            <TimeText time={call.timestamp}>{formatClock(call.timestamp, 'seconds')}</TimeText>
          </span>
        )}
      </div>
      {isTextOpen && text !== null && (
        <div id={textId} className="call-raw">
          <OutputText id={`${id}/output-text`} output={{ ...text, kind: 'text' }} />
        </div>
      )}
      {isAllOpen && (
        <div id={fieldsId} className="call-data">
          <div className="output-footer">
            <span>Long texts are shortened</span>
            <span className="output-actions">
              <CopyButton text={JSON.stringify(call, null, 2)} label="Copy JSON" />
            </span>
          </div>
          <JsonTree value={call} label="All fields of the call" />
        </div>
      )}
    </>
  )
}

interface ToggleProps {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  controls: string
  children: string
}

function Toggle({ isOpen, onToggle, controls, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      onClick={() => onToggle(!isOpen)}
    >
      <Icon of={ChevronRight} small className="disclosure-chevron" />
      {children}
    </button>
  )
}
