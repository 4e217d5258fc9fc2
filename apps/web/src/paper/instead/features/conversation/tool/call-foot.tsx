import type { ToolCall } from 'gemini-sessions'
import { JsonTree } from '../../../../../content/code/json-tree.tsx'
import { toolKind } from '../../../../../features/conversation/tool/call/tool-kind.ts'
import { OutputText } from '../../../../../features/conversation/tool/output/output-text.tsx'
import { formatClock } from '../../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../../ui/controls/disclosure.tsx'
import { TimeText } from '../../../../../ui/figures/time-text.tsx'

/** Below a call: what its card does not show of it, word for word, and when it was recorded. */
export function CallFoot({ id, call }: { id: string; call: ToolCall }) {
  const { args, output, display, timestamp } = call
  const kind = toolKind(call)
  const areArgsShown = kind === 'mcp' || kind === 'unknown' || args === null
  const isTextHidden = 'text' in output && output.text !== '' && (display !== null || kind === 'shell')
  return (
    <div className="call-foot">
      {!areArgsShown && (
        <Disclosure head="What the tool was given">
          {() => <JsonTree value={args} label="What the tool was given" />}
        </Disclosure>
      )}
      {isTextHidden && (
        <Disclosure head="What Gemini was given">
          {() => <OutputText id={`${id}/output-text`} output={{ ...output, kind: 'text' }} />}
        </Disclosure>
      )}
      {timestamp !== null && (
        <span className="call-time">
          <span className="call-time-word">recorded </span>
          <TimeText time={timestamp}>{formatClock(timestamp, 'seconds')}</TimeText>
        </span>
      )}
    </div>
  )
}
