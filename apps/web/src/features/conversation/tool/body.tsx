import './tool.css'
import { type AskedQuestion, askedQuestions } from '@gemini-dash/api/asked-questions'
import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { Circle, CircleCheck, CornerDownRight } from 'lucide-react'
import { useContext, useId } from 'react'
import { languageOfPath } from '../../../content/highlight.ts'
import { JsonTree } from '../../../content/json-tree.tsx'
import { MachineText, MarkedText } from '../../../content/machine-text.tsx'
import { Markdown, SafeLink } from '../../../content/markdown.tsx'
import { NeighbourContext } from '../../../content/stored-files.tsx'
import { formatCount, formatPlural } from '../../../lib/figures.ts'
import { usePaper } from '../../../lib/paper.ts'
import { CopyButton } from '../../../ui/buttons/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useOpen } from '../open-store.ts'
import { AgentConversation } from './agent.tsx'
import { OutputBody, OutputSearch, OutputSubagent } from './output-body.tsx'
import { OutputDiff, OutputFiles, OutputMarkdown, OutputText } from './output-text.tsx'
import {
  agentReport,
  askedAddresses,
  isRecord,
  jsonInText,
  linkCitations,
  listResult,
  manyFiles,
  planAnswer,
  type ReadFile,
  searchResult,
  skillResult,
  unwrapUntrusted,
  type WebSource,
  webResult,
} from './results.ts'
import { type DrawCalls, type ToolKind, textArgument, toolArgument } from './tool-argument.ts'
import { readResult, type ShellResult, shellResult } from './tool-outcome.ts'

interface Props {
  id: string
  call: ToolCall
  kind: ToolKind
  drawCalls: DrawCalls
}

/** Body of a tool call, by kind. */
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

/** The full list if the model's text has one; newer displays contain only names. */
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

/** An edit: what changed, or what a failed edit would have changed. */
function BodyEdit({ id, call }: { id: string; call: ToolCall }) {
  const isDone = call.status === 'success'
  const shownPath = toolArgument(call, null)
  if (call.display?.kind === 'diff') {
    return isDone ? (
      <OutputDiff id={id} output={call.display} shownPath={shownPath} />
    ) : (
      <OutputDiff id={id} output={call.display} shownPath={shownPath} remark="Proposed, not applied" />
    )
  }
  const proposed = isDone ? null : proposedDiff(call)
  if (proposed !== null)
    return <OutputDiff id={id} output={proposed} shownPath={shownPath} remark="Was to be changed" />
  return <OutputBody id={id} call={call} output={call.display ?? call.output} />
}

/** A file that was read, with its own line numbers. */
function BodyRead({ id, call }: { id: string; call: ToolCall }) {
  const { output } = call
  // for images and audio the text only says that something was returned
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

/** Tool calls that are mostly text: a remembered fact, a topic, a report, a skill, a page of the manual. */
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

/** The change that a failed or refused edit would have made, from its arguments; null if unknown. */
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

type Progress = Extract<ToolOutput, { kind: 'subagent' }>

/** A sub-agent: its task, last steps, result, and its conversation if the CLI stored it. */
function BodyAgent({ id, call, drawCalls }: { id: string; call: ToolCall; drawCalls: DrawCalls }) {
  const task = textArgument(call, 'prompt', 'objective', 'task', 'query', 'question')
  const progress = progressOf(call)
  return (
    <>
      {task !== '' && (
        <div className="agent-task">
          <p className="agent-part">Task</p>
          <Markdown text={task} isSmall />
        </div>
      )}
      {progress === null ? (
        call.status !== 'error' && <OutputBody id={id} call={call} output={call.display ?? call.output} />
      ) : (
        <OutputSubagent output={progress} />
      )}
      {call.agentKey !== null && <AgentConversation id={id} agentKey={call.agentKey} drawCalls={drawCalls} />}
    </>
  )
}

/** What the CLI displayed (0.33+), else the report in the text for the model. */
function progressOf({ display, output }: ToolCall): Progress | null {
  const report = 'text' in output ? agentReport(output.text) : null
  if (display?.kind === 'subagent') {
    return {
      ...display,
      result: display.result ?? report?.result ?? null,
      terminateReason: display.terminateReason ?? report?.reason ?? null,
    }
  }
  if (report === null) return null
  return {
    kind: 'subagent',
    agentName: '',
    state: null,
    activity: [],
    result: report.result,
    terminateReason: report.reason,
  }
}

/** Questions to the user, each with its choices and the answer. */
function BodyAsk({ id, call }: { id: string; call: ToolCall }) {
  const questions = askedQuestions(call)
  if (questions.length === 0) return <OutputBody id={id} call={call} output={call.display ?? call.output} />
  const isAnswered = questions.some(({ answer }) => answer !== null)
  return (
    <>
      <ol className="questions">
        {questions.map((question, index) => (
          <li key={`${index} ${question.header}`}>
            <Question question={question} />
          </li>
        ))}
      </ol>
      {!isAnswered && call.status === 'success' && (
        <p className="output-remark">You dismissed the questions without an answer.</p>
      )}
    </>
  )
}

function Question({ question: { header, question, options, answer } }: { question: AskedQuestion }) {
  const isOwnAnswer = answer !== null && !options.some(({ isChosen }) => isChosen)
  return (
    <>
      {header !== '' && (
        <p className="question-header meta" dir="auto">
          <MarkedText text={header} />
        </p>
      )}
      <Markdown text={question} isSmall />
      {options.length > 0 && (
        <ul className="choices">
          {options.map(({ label, description, isChosen }, index) => (
            <li key={`${index} ${label}`} className={isChosen ? 'choice chosen' : 'choice'}>
              <Icon of={isChosen ? CircleCheck : Circle} small />
              <span dir="auto">
                <b>
                  <MarkedText text={label} />
                </b>
                {isChosen && <span className="visually-hidden"> (chosen)</span>}
                {description !== '' && (
                  <span className="choice-words meta">
                    <MarkedText text={description} />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isOwnAnswer && (
        <div className="own-answer">
          <Icon of={CornerDownRight} small />
          <span className="visually-hidden">Answer:</span>
          <Markdown text={answer} isSmall />
        </div>
      )}
    </>
  )
}

/** A third-party tool: arguments and result as data, or as text. */
function BodyData({ id, call }: { id: string; call: ToolCall }) {
  const hasArguments = !isRecord(call.args) || Object.keys(call.args).length > 0
  return (
    <>
      {hasArguments && call.args !== null && <Data name="Arguments" value={call.args} />}
      {call.status !== 'error' && <Result id={id} call={call} />}
      {call.status === 'error' && call.display?.kind === 'unknown' && (
        <Data name="Shown by Gemini CLI" value={call.display.json} />
      )}
    </>
  )
}

function Result({ id, call }: { id: string; call: ToolCall }) {
  const output = telling(call)
  if (output === null) return null
  const data =
    output.kind === 'unknown'
      ? output.json
      : 'text' in output
        ? jsonInText(unwrapUntrusted(output.text))
        : undefined
  if (data !== undefined) return <Data name="Result" value={data} />
  if (output.kind === 'text' || output.kind === 'markdown') {
    return (
      <>
        <p className="data-name meta">Result</p>
        <OutputMarkdown id={id} output={{ ...output, text: unwrapUntrusted(output.text) }} />
      </>
    )
  }
  return <OutputBody id={id} call={call} output={output} />
}

/** What the CLI displayed, unless it is only a media note or the model got more. */
function telling({ display, output, extraParts }: ToolCall): ToolOutput | null {
  const isDrawn = display !== null && display.kind !== 'empty' && !isMediaNote(display)
  const hasMore = isDrawn && 'text' in display && 'text' in output && output.text.length > display.text.length
  const best = output.kind === 'unknown' || !isDrawn || hasMore ? output : display
  if (extraParts.length > 0 && (best.kind === 'empty' || isMediaNote(best))) return null
  return best
}

/** `[Image: image/png]`, `[Tool 'x' provided the following image data …]`: the picture itself is shown below. */
function isMediaNote(output: ToolOutput): boolean {
  return (
    'text' in output &&
    /^\s*\[(?:Image|Audio|Tool '[^']*' provided|Embedded Resource)[^\n]*\]\s*$/.test(output.text)
  )
}

function Data({ name, value }: { name: string; value: unknown }) {
  return (
    <div className="call-data">
      <div className="output-footer">
        <span>{name}</span>
        <span className="output-actions">
          <CopyButton text={JSON.stringify(value, null, 2) ?? ''} label="Copy JSON" />
        </span>
      </div>
      <JsonTree value={value} label={name} />
    </div>
  )
}

/** A plan and its outcome; entering plan mode has only a reason. */
function BodyPlan({ id, call }: { id: string; call: ToolCall }) {
  const answer = planAnswer(call.output.kind === 'text' ? call.output.text : '')
  const path = answer?.path || textArgument(call, 'plan_path', 'plan_filename')
  const stored = usePlan(path)
  const text = textArgument(call, 'plan') || (stored?.text ?? '')
  if (call.status !== 'success') return null
  if (answer === null) {
    const reason = textArgument(call, 'reason')
    return reason === '' ? (
      <OutputBody id={id} call={call} output={call.display ?? call.output} />
    ) : (
      <Markdown text={reason} isSmall />
    )
  }
  return (
    <>
      {answer.state === 'rejected' && (
        <p className="plan-answer">{answer.words === '' ? 'Rejected without comment' : 'Rejected:'}</p>
      )}
      {answer.state === 'rejected' && answer.words !== '' && <Markdown text={answer.words} isSmall />}
      {answer.state === 'approved' && (
        <p className="plan-answer">Approved. Goes on in {answer.words || 'the default mode'}.</p>
      )}
      {answer.state === 'cancelled' && (
        <p className="plan-answer">You dismissed the question; plan mode continued.</p>
      )}
      {text === '' ? (
        <p className="output-remark">
          The plan itself is in{' '}
          <span className="mono" dir="ltr">
            <MachineText text={path} />
          </span>
          , which is not beside the session.
        </p>
      ) : (
        <div className="plan-text">
          <Markdown text={text} isSmall />
          {stored?.isCut === true && <p className="dim">This is the beginning of the plan.</p>}
        </div>
      )}
    </>
  )
}

/** The current file of that name beside the session. */
function usePlan(path: string) {
  const { plans } = useContext(NeighbourContext)
  const name = path.split(/[/\\]/).at(-1)
  return plans.find(({ file }) => file.path.split('/').at(-1) === name)
}

/** Several files read in one call, each expandable. */
function BodyReadMany({ id, call }: { id: string; call: ToolCall }) {
  const files = manyFiles(call.output.kind === 'text' ? call.output.text : '', call.extraParts)
  const skipped = call.display?.kind === 'list' ? call.display.skipped : []
  if (files.length === 0) return <OutputBody id={id} call={call} output={call.display ?? call.output} />
  return (
    <ul className="read-files">
      {files.map((file, index) => (
        <OneFile key={`${index} ${file.path}`} id={`${id}/file-${index}`} file={file} />
      ))}
      {skipped.map((path) => (
        <li key={path} className="read-file-skipped">
          <MachineText text={path} /> <span className="dim">left out</span>
        </li>
      ))}
    </ul>
  )
}

function OneFile({ id, file }: { id: string; file: ReadFile }) {
  const isPaper = usePaper() !== null
  const [isOpen, setOpen] = useOpen(id)
  const lineCount = file.text.replace(/\n$/, '').split('\n').length
  return (
    <li>
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="read-file-head"
        head={
          <>
            <span className="mono" dir="ltr">
              <MachineText text={file.path} />
            </span>
            <span className="read-file-size meta">{formatPlural(lineCount, 'line')}</span>
          </>
        }
      >
        {() => (
          <OutputText
            id={`${id}/text`}
            output={{ kind: 'text', text: file.text }}
            {...(!isPaper && { code: { language: languageOfPath(file.path), firstLine: 1 } })}
          />
        )}
      </Disclosure>
    </li>
  )
}

/** A command, its directory and output, and how it ended unless that was normal. */
function BodyShell({ id, call }: { id: string; call: ToolCall }) {
  const command = textArgument(call, 'command', 'CommandLine')
  const result = shellResult(call)
  const facts = factsOf(call, result)
  const output = printedOutput(call, result)
  const hasEnded = call.status === 'success' && result.ending === null
  const isPrinted = output !== null && output !== call.output && output !== call.display
  const readWhole = isPrinted ? (text: string) => printedOf(call, text) : undefined
  return (
    <>
      {command !== '' && (
        <div className="call-command">
          <pre className="command-line" dir="ltr">
            <MachineText text={command} />
          </pre>
        </div>
      )}
      {facts.length > 0 && (
        <ul className="call-facts meta">
          {facts.map((fact) => (
            <li key={fact}>
              <MachineText text={fact} />
            </li>
          ))}
        </ul>
      )}
      {output === null ? (
        <p className="output-remark in-terminal">{hasEnded ? 'No output' : 'No output was recorded.'}</p>
      ) : (
        <OutputBody id={id} call={call} output={output} readWhole={readWhole} />
      )}
    </>
  )
}

function printedOf(call: ToolCall, text: string): string {
  return shellResult({ ...call, output: { kind: 'text', text } }).printed
}

/** The screen as the CLI drew it, else the output in the text for the model; null if none. */
function printedOutput(call: ToolCall, { printed, ending }: ShellResult): ToolOutput | null {
  const { display, output } = call
  if (display?.kind === 'ansi') return display.lines.some((line) => line.length > 0) ? display : null
  if (display !== null && 'text' in display && display.text.trim() !== '' && !isNotice(display.text))
    return display
  if (ending !== null || output.kind !== 'text')
    return output.kind === 'error' ? output : printedText(printed, output)
  // text in an unknown form is shown as is
  const isKnown = /(?:^|\n)(?:Output|Stdout): /.test(output.text.slice(0, 4_000))
  return isKnown ? printedText(printed, output) : output
}

function printedText(printed: string, output: ToolOutput): ToolOutput | null {
  if (printed === '') return null
  return output.kind === 'text' ? { ...output, text: printed } : { kind: 'text', text: printed }
}

/** What the CLI wrote in place of an output; the facts say the same. */
function isNotice(text: string): boolean {
  return /^Command (?:moved to background|terminated by signal|exited with code|was automatically cancelled|cancelled by user)[^\n]*$/.test(
    text.trim(),
  )
}

function factsOf(
  call: ToolCall,
  { directory, error, signal, backgroundPids, ending }: ShellResult,
): string[] {
  const purpose = textArgument(call, 'description')
  const facts = [
    purpose,
    directory === '' ? '' : `In ${directory}`,
    ending === 'background' ? 'Moved to background' : '',
    ending === 'timeout' ? 'Stopped by Gemini CLI, as nothing was printed for too long' : '',
    ending === 'cancelled' ? 'Stopped before it ended' : '',
    signal === '' ? '' : `Ended by signal ${signal}`,
    backgroundPids === '' ? '' : `Still running: process ${backgroundPids}`,
    error,
  ]
  return facts.filter((fact) => fact !== '')
}

/** A web result and its sources. Nothing is ever loaded. */
function BodyWeb({ id, call }: { id: string; call: ToolCall }) {
  const { output } = call
  const anchor = `source-${useId().replace(/\W/g, '')}-`
  const asked = textArgument(call, 'prompt')
  const { text, sources } = webResult(output.kind === 'text' ? output.text : '')
  const cited = (words: string) =>
    linkCitations(
      words,
      sources.map(({ number }) => number),
      (number) => `#${anchor}${number}`,
    )
  const addresses = askedAddresses(asked || textArgument(call, 'url'))
  return (
    <>
      {asked !== '' && (
        <p className="asked" dir="auto">
          <MarkedText text={asked} />
        </p>
      )}
      {output.kind === 'text' ? (
        <OutputMarkdown
          id={id}
          output={{ ...output, text }}
          readWhole={(whole) => webResult(whole).text}
          asDrawn={cited}
        />
      ) : (
        call.status !== 'error' && <OutputBody id={id} call={call} output={call.display ?? output} />
      )}
      {sources.length > 0 ? (
        <Sources sources={sources} anchor={anchor} />
      ) : (
        addresses.length > 0 && (
          <Sources
            sources={addresses.map((url, index) => ({ number: index + 1, title: '', url }))}
            anchor={anchor}
          />
        )
      )}
    </>
  )
}

function Sources({ sources, anchor }: { sources: WebSource[]; anchor: string }) {
  return (
    <ol className="sources" aria-label="Sources">
      {sources.map((source) => (
        <li key={source.number} id={`${anchor}${source.number}`}>
          <span className="source-number meta">{source.number}</span>
          <Source source={source} />
        </li>
      ))}
    </ol>
  )
}

function Source({ source: { title, url } }: { source: WebSource }) {
  if (url === null)
    return (
      <span dir="auto">
        <MarkedText text={title} /> <span className="dim">no address recorded</span>
      </span>
    )
  const host = hostOf(url)
  return (
    <span className="source-words" dir="auto">
      <SafeLink href={url}>
        <MarkedText text={title || url} />
      </SafeLink>
      {host !== '' && host !== title && (
        <span className="dim">
          {' '}
          <MachineText text={host} />
        </span>
      )}
    </span>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
