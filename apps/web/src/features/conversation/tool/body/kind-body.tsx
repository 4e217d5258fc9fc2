import './body-words.css'
import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { languageOfPath } from '../../../../content/highlight/language-name.ts'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { formatCount } from '../../../../lib/figures/format.ts'
import type { DrawCalls } from '../call/draw-calls.ts'
import { readResult } from '../call/read-result.ts'
import { textArgument, toolArgument } from '../call/tool-argument.ts'
import type { ToolKind } from '../call/tool-kind.ts'
import { OutputBody } from '../output/output-body.tsx'
import { OutputDiff } from '../output/output-diff.tsx'
import { OutputFiles } from '../output/output-files.tsx'
import { OutputMarkdown } from '../output/output-markdown.tsx'
import { OutputSearch } from '../output/output-search.tsx'
import { OutputText } from '../output/output-text.tsx'
import { listResult } from '../results/list-result.ts'
import { searchResult } from '../results/search-result.ts'
import { skillResult } from '../results/skill-result.ts'
import { unwrapUntrusted } from '../results/unwrap-untrusted.ts'
import { BodyAgent } from './body-agent.tsx'
import { BodyAsk } from './body-ask.tsx'
import { BodyData } from './body-data.tsx'
import { BodyPlan } from './body-plan.tsx'
import { BodyReadMany } from './body-read-many.tsx'
import { BodyShell } from './body-shell.tsx'
import { BodyWeb } from './body-web.tsx'

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

/** An edit: what changed, or what was to be changed and was not. */
function BodyEdit({ id, call }: { id: string; call: ToolCall }) {
  const isDone = call.status === 'success'
  const toldPath = toolArgument(call, null)
  if (call.display?.kind === 'diff') {
    return isDone ? (
      <OutputDiff id={id} output={call.display} toldPath={toldPath} />
    ) : (
      <OutputDiff id={id} output={call.display} toldPath={toldPath} remark="Proposed, not applied" />
    )
  }
  const proposed = isDone ? null : proposedDiff(call)
  if (proposed !== null)
    return <OutputDiff id={id} output={proposed} toldPath={toldPath} remark="Was to be changed" />
  return <OutputBody id={id} call={call} output={call.display ?? call.output} />
}

/** A file that was read, with the numbers of its own lines. */
function BodyRead({ id, call }: { id: string; call: ToolCall }) {
  const { output } = call
  // of a picture or a sound the text only says that it came
  const hasMedia = call.extraParts.some((part) => part.kind !== 'text')
  if (hasMedia && output.kind === 'text' && /^Binary content/.test(output.text)) return null
  if (output.kind !== 'text') return <OutputBody id={id} call={call} output={call.display ?? output} />
  const { text, firstLine, shown } = readResult(call, output.text)
  const language = languageOfPath(textArgument(call, 'file_path', 'absolute_path', 'path'))
  return (
    <>
      {shown !== null && shown.last - shown.first + 1 < shown.total && (
        <p className="output-remark in-terminal">
          Lines {formatCount(shown.first)} to {formatCount(shown.last)} of {formatCount(shown.total)}
        </p>
      )}
      <OutputText
        id={id}
        output={{ ...output, text }}
        code={{ language, firstLine }}
        readWhole={(whole) => readResult(call, whole).text}
      />
    </>
  )
}

/** Calls that are mostly words: a fact to remember, a topic, a report, a skill, a page of the manual. */
function BodyWords({ id, call, kind }: { id: string; call: ToolCall; kind: ToolKind }) {
  const said = saidWords(call, kind)
  if (said !== '') return <Markdown text={said} isSmall />
  const { output, display } = call
  if (kind === 'skill' && output.kind === 'text') return <Skill id={id} output={output} />
  if (kind === 'docs' && output.kind === 'text')
    return <OutputMarkdown id={id} output={{ ...output, text: unwrapUntrusted(output.text) }} />
  return <OutputBody id={id} call={call} output={display ?? output} />
}

function saidWords(call: ToolCall, kind: ToolKind): string {
  if (kind === 'memory') return textArgument(call, 'fact')
  if (kind === 'report') return textArgument(call, 'result')
  if (kind !== 'topic') return ''
  const summary = textArgument(call, 'summary')
  const intent = textArgument(call, 'strategic_intent')
  return [summary, intent === '' ? '' : `**Intent:** ${intent}`].filter((text) => text !== '').join('\n\n')
}

function Skill({ id, output }: { id: string; output: Extract<ToolCall['output'], { kind: 'text' }> }) {
  const skill = skillResult(output.text)
  if (skill === null) return <OutputMarkdown id={id} output={output} />
  return (
    <>
      <OutputMarkdown
        id={id}
        output={{ ...output, text: skill.instructions }}
        readWhole={(whole) => skillResult(whole)?.instructions ?? whole}
      />
      {skill.resources !== '' && (
        <pre className="skill-resources" dir="ltr">
          {skill.resources}
        </pre>
      )}
    </>
  )
}

type Diff = Extract<ToolOutput, { kind: 'diff' }>

/** What an edit that failed or was refused would have changed, from its arguments; null where they do not tell. */
function proposedDiff(call: ToolCall): Diff | null {
  const filePath = textArgument(call, 'file_path', 'absolute_path')
  const before = call.name === 'replace' ? textArgument(call, 'old_string') : ''
  const after = call.name === 'replace' ? textArgument(call, 'new_string') : textArgument(call, 'content')
  if (before === '' && after === '') return null
  return {
    kind: 'diff',
    fileName: filePath.split(/[/\\]/).at(-1) ?? '',
    filePath,
    fileDiff: '',
    originalContent: before,
    newContent: after,
    linesAdded: 0,
    linesRemoved: 0,
    isNewFile: false,
    isRebuilt: true,
  }
}
