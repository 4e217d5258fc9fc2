import type { ToolCall } from 'gemini-sessions'
import type { DrawCalls } from '../call/draw-calls.ts'
import { textArgument } from '../call/tool-argument.ts'
import type { ToolKind } from '../call/tool-kind.ts'
import { OutputBody } from '../output/output-body.tsx'
import { OutputFiles } from '../output/output-files.tsx'
import { OutputSearch } from '../output/output-search.tsx'
import { listResult } from '../results/list-result.ts'
import { searchResult } from '../results/search-result.ts'
import { BodyAgent } from './body-agent.tsx'
import { BodyAsk } from './body-ask.tsx'
import { BodyData } from './body-data.tsx'
import { BodyEdit } from './body-edit.tsx'
import { BodyPlan } from './body-plan.tsx'
import { BodyRead } from './body-read.tsx'
import { BodyReadMany } from './body-read-many.tsx'
import { BodyShell } from './body-shell.tsx'
import { BodyWeb } from './body-web.tsx'
import { BodyWords } from './body-words.tsx'

interface Props {
  id: string
  call: ToolCall
  kind: ToolKind
  drawCalls: DrawCalls
}

/** What a call did, in the form of its kind. */
export function KindBody({ id, call, kind, drawCalls }: Props) {
  switch (kind) {
    case 'shell':
      return <BodyShell id={id} call={call} />
    case 'edit':
    case 'write':
      return <BodyEdit id={id} call={call} />
    case 'read':
      return <BodyRead id={id} call={call} />
    case 'read-many':
      return <BodyReadMany id={id} call={call} />
    case 'folder':
    case 'find':
      return <Listed id={id} call={call} />
    case 'search':
      return <Found id={id} call={call} />
    case 'web':
      return <BodyWeb id={id} call={call} />
    case 'ask':
      return <BodyAsk id={id} call={call} />
    case 'plan':
      return <BodyPlan id={id} call={call} />
    case 'subagent':
      return <BodyAgent id={id} call={call} drawCalls={drawCalls} />
    case 'memory':
    case 'report':
    case 'topic':
    case 'skill':
    case 'docs':
      return <BodyWords id={id} call={call} kind={kind} />
    case 'todos':
      return <OutputBody id={id} call={call} output={call.display ?? call.output} />
    case 'mcp':
    case 'unknown':
      return <BodyData id={id} call={call} />
  }
}

/** The whole list where the model's text has one; newer displays hold names only. */
function Listed({ id, call }: { id: string; call: ToolCall }) {
  const { display, output } = call
  if (display?.kind === 'list') return <OutputFiles id={id} output={display} />
  if (output.kind === 'text' && listResult(output.text) !== null)
    return <OutputFiles id={id} output={output} />
  return <OutputBody id={id} call={call} output={display ?? output} />
}

function Found({ id, call }: { id: string; call: ToolCall }) {
  const { display, output } = call
  const pattern = textArgument(call, 'pattern', 'query')
  if (display?.kind === 'search') return <OutputSearch id={id} output={display} pattern={pattern} />
  if (output.kind === 'text' && searchResult(output.text) !== null) {
    return <OutputSearch id={id} output={output} pattern={pattern} />
  }
  return <OutputBody id={id} call={call} output={display ?? output} />
}
