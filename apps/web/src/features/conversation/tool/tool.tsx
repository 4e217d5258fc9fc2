import './tool.css'
import { FATE_WORDS } from '@gemini-dash/api/verdict-words'
import type { CallFate, Cut, Part, ToolCall, ToolOutput } from 'gemini-sessions'
import {
  Ban,
  Bookmark,
  BookOpen,
  Box,
  Braces,
  Check,
  CircleDashed,
  CirclePause,
  Ellipsis,
  FilePen,
  FilePlus,
  FileSearch,
  Files,
  FileText,
  Flag,
  FolderTree,
  Globe,
  Hand,
  ListTodo,
  type LucideIcon,
  Map as MapIcon,
  MessageCircleQuestionMark,
  Network,
  OctagonAlert,
  Plug,
  Sparkles,
  SquareTerminal,
  Tag,
  TextSearch,
} from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import { JsonTree } from '../../../content/json-tree.tsx'
import { HitContext, type HitTerm, hasHit, MachineText } from '../../../content/machine-text.tsx'
import { NotHeld } from '../../../content/session-badges.tsx'
import { NeighbourContext } from '../../../content/stored-files.tsx'
import { classNames } from '../../../lib/browser.ts'
import { formatClock } from '../../../lib/dates.ts'
import { usePaper } from '../../../lib/paper.ts'
import { openAtFirst } from '../../../lib/preferences.ts'
import { messageAnchor } from '../../../lib/session-words.ts'
import { CopyButton, MenuButton } from '../../../ui/buttons/button.tsx'
import { CopyItem, MenuItem } from '../../../ui/buttons/menu-item.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TimeText } from '../../../ui/figures.tsx'
import { Icon, LiveWord } from '../../../ui/icons.tsx'
import { ToMessage } from '../../../ui/to-message.tsx'
import { messageLink } from '../message-link.ts'
import { useOpen } from '../open-store.ts'
import { CardBoundary, PartBody } from '../part-body.tsx'
import { KindBody } from './body.tsx'
import { OutputText } from './output-text.tsx'
import { SavedOutputs } from './saved.tsx'
import {
  type DrawCalls,
  type ToolKind,
  textArgument,
  toolArgument,
  toolKind,
  toolTitle,
} from './tool-argument.ts'
import { failureWords, type ToolOutcome, toolOutcome } from './tool-outcome.ts'

/** Kinds that show their task or proposal even if they failed. */
const TELLS_ITS_AIM = new Set<ToolKind>([
  'shell',
  'edit',
  'write',
  'web',
  'subagent',
  'ask',
  'mcp',
  'unknown',
])

const TOOL_ICONS: Record<ToolKind, LucideIcon> = {
  shell: SquareTerminal,
  edit: FilePen,
  write: FilePlus,
  read: FileText,
  'read-many': Files,
  folder: FolderTree,
  find: FileSearch,
  search: TextSearch,
  web: Globe,
  todos: ListTodo,
  subagent: Network,
  report: Flag,
  memory: Bookmark,
  topic: Tag,
  skill: Sparkles,
  docs: BookOpen,
  plan: MapIcon,
  ask: MessageCircleQuestionMark,
  mcp: Plug,
  unknown: Box,
}

const ICONS: Record<Exclude<ToolOutcome['state'], 'running' | 'failed'>, LucideIcon> = {
  success: Check,
  waiting: Hand,
  cancelled: Ban,
  stopped: OctagonAlert,
  background: CirclePause,
  unanswered: CircleDashed,
}

interface Props {
  /** Of the tool call within its session: message key and index. */
  id: string
  call: ToolCall
  /** The last tool call of a session that is being written. */
  isPending: boolean
  drawCalls: DrawCalls
}

/** Running calls are open; for others the settings decide. */
function opensAtFirst(call: ToolCall, state: ToolOutcome['state']): boolean {
  const opened = openAtFirst.get()
  if (state === 'failed') return opened.includes('failures')
  return state === 'running' || (opened.includes('edits') && /^(edit|write)$/.test(toolKind(call)))
}

/** One tool call: a head that is one button, and its result. Failures and running calls start open. */
function ToolCard({ id, call, isPending, drawCalls }: Props) {
  const terms = useContext(HitContext)
  const { root } = useContext(NeighbourContext)
  const outcome = toolOutcome(call, isPending)
  const [isOpen, setOpen] = useOpen(
    id,
    opensAtFirst(call, outcome.state) || (terms.length > 0 && isFoundIn(call, terms)),
  )
  const [messageKey = '', part = ''] = id.split(/\/(?=call-\d+$)/)
  return (
    <div
      id={messageAnchor(messageKey, part)}
      className={classNames('call', outcome.state, call.fate && fateClass(call.fate))}
    >
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="call-head"
        head={
          <>
            <Icon of={TOOL_ICONS[toolKind(call)]} className="call-kind" />
            <span className="call-name one-line" dir="auto" title={call.name}>
              <MachineText text={toolTitle(call)} />
            </span>
            <span className="call-argument label one-line" dir="ltr">
              <MachineText text={toolArgument(call, root)} />
            </span>
            <span className="call-result meta">
              <ChangedLines call={call} />
              <CallState outcome={outcome} fate={call.fate} isShownBeside={hasChangedLines(call)} />
            </span>
          </>
        }
      >
        {() => (
          <>
            <ToolBody id={id} call={call} drawCalls={drawCalls} />
            <NotHeld
              of={[call.cut, cutOf(call.output), call.display === null ? undefined : cutOf(call.display)]}
            />
          </>
        )}
      </Disclosure>
    </div>
  )
}

function cutOf(output: ToolOutput): Cut | undefined {
  return 'cut' in output ? output.cut : undefined
}

/** Gray if the same call succeeded later, amber if it was never rerun, red if it still fails. */
function fateClass({ kind }: CallFate): string {
  return { laterSucceeded: 'fate-succeeded', neverRerun: 'fate-open', stillFailing: 'fate-failing' }[kind]
}

function hasChangedLines({ display, failed }: ToolCall): boolean {
  return !failed && display?.kind === 'diff' && display.linesAdded + display.linesRemoved > 0
}

function ChangedLines({ call }: { call: ToolCall }) {
  const { display } = call
  if (display?.kind !== 'diff') return null
  return (
    <span className="changed-lines">
      {display.linesAdded > 0 && <span className="tone-success">{`+${display.linesAdded}`}</span>}
      {display.linesRemoved > 0 && <span className="tone-error">{`−${display.linesRemoved}`}</span>}
    </span>
  )
}

function isFoundIn(call: ToolCall, terms: readonly HitTerm[]): boolean {
  return hasHit(JSON.stringify([call.args, call.display ?? call.output]), terms)
}

interface CallStateProps {
  outcome: ToolOutcome
  fate: CallFate | undefined
  /** The changed lines beside it say the same. */
  isShownBeside: boolean
}

/** How a tool call ended, as a word and an icon. Success is quiet: only its tick is green. */
function CallState({ outcome: { state, word }, fate, isShownBeside }: CallStateProps) {
  if (state === 'running') return <LiveWord>{word}</LiveWord>
  return (
    <span className={`call-state ${state}`}>
      <span className={isShownBeside ? 'visually-hidden' : undefined}>
        <MachineText text={word} />
      </span>
      {fate && <span className="call-fate">{fateWords(fate)}</span>}
      {state !== 'failed' && <Icon of={ICONS[state]} small />}
    </span>
  )
}

/** `later succeeded at 18:41:20` */
function fateWords({ kind, succeeded }: CallFate): string {
  const time = succeeded?.timestamp
  return time ? `${FATE_WORDS[kind]} at ${formatClock(time, 'seconds')}` : FATE_WORDS[kind]
}

interface ToolBodyProps {
  id: string
  call: ToolCall
  drawCalls: DrawCalls
}

/** Body of an open tool call: why it failed, what it did, additional parts, and all of its fields. */
function ToolBody({ id, call, drawCalls }: ToolBodyProps) {
  const kind = toolKind(call)
  const hasError = call.status === 'error'
  const isAnswered = call.output.kind !== 'empty' || call.display !== null
  return (
    <div className="call-body">
      {hasError && kind !== 'shell' && <CallFailure id={id} call={call} />}
      {(!hasError || TELLS_ITS_AIM.has(kind)) && (
        <KindBody id={id} call={call} kind={kind} drawCalls={drawCalls} />
      )}
      {call.status === 'unanswered' && !isAnswered && (
        <p className="output-remark">No result was recorded.</p>
      )}
      <SavedOutputs id={id} callId={call.id} />
      {beside(call, kind).map((part, index) => (
        <PartBody key={`${index} ${part.kind}`} id={`${id}/extra-${index}`} part={part} />
      ))}
      <CallFoot id={id} call={call}>
        {call.fate && <FateOfCall fate={call.fate} />}
      </CallFoot>
    </div>
  )
}

/** Where the same call worked before, and where it worked again. */
function FateOfCall({ fate: { kind, worked, succeeded } }: { fate: CallFate }) {
  const { sessionRef } = useContext(NeighbourContext)
  const place = succeeded ?? worked
  if (kind === 'neverRerun' || place === null) return null
  const words = succeeded === null ? 'Worked' : 'Later succeeded'
  return (
    <ToMessage sessionRef={sessionRef} messageKey={place.messageKey} call={null}>
      {place.timestamp === null ? words : `${words} at ${formatClock(place.timestamp, 'seconds')}`}
    </ToMessage>
  )
}

/** Additional parts of the result; the files of `read_many_files` are drawn as files. */
function beside(call: ToolCall, kind: ToolKind): Part[] {
  return kind === 'read-many' ? call.extraParts.filter((part) => part.kind !== 'text') : call.extraParts
}

/** What went wrong: a plain sentence, then the error message. */
function CallFailure({ id, call }: { id: string; call: ToolCall }) {
  const words = failureWords(call)
  const { output, display } = call
  const shown = output.kind === 'error' || output.kind === 'text' ? output : display
  return (
    <>
      {words !== null && <p className="failure-sentence">{words.sentence}</p>}
      {shown !== null && 'text' in shown && (
        <OutputText id={`${id}/error`} output={{ ...shown, kind: 'error' }} />
      )}
    </>
  )
}

interface CallFootProps {
  id: string
  call: ToolCall
  /** Additional content. */
  children?: ReactNode
}

/**
 * Below a tool call: its time, a button to copy the command, and a menu with the verbatim result and the raw record; on paper only the
 * time.
 */
function CallFoot(props: CallFootProps) {
  if (usePaper() === null) return <OpenedFoot {...props} />
  return (
    <div className="call-foot meta">
      <CallFacts call={props.call} />
      {props.children}
    </div>
  )
}

/** `exit 1`, `11:14:19` */
function CallFacts({ call: { timestamp, exitCode } }: { call: ToolCall }) {
  return (
    <>
      {exitCode !== null && <span>exit {exitCode}</span>}
      {timestamp !== null && <TimeText time={timestamp}>{formatClock(timestamp, 'seconds')}</TimeText>}
    </>
  )
}

function OpenedFoot({ id, call, children }: CallFootProps) {
  const [isTextOpen, setTextOpen] = useOpen(`${id}/output`)
  const [isAllOpen, setAllOpen] = useOpen(`${id}/fields`)
  const [messageKey = '', part = ''] = id.split(/\/(?=call-\d+$)/)
  const { output } = call
  const text = 'text' in output ? output : null
  const command = toolKind(call) === 'shell' ? textArgument(call, 'command') : ''
  return (
    <>
      <div className="call-foot meta">
        <CallFacts call={call} />
        {children}
        <span className="call-actions">
          {command !== '' && <CopyButton text={command} label="Copy command" />}
          <MenuButton
            className="icon-button call-menu"
            label="More of this call"
            face={<Icon of={Ellipsis} small />}
          >
            {text !== null && (
              <>
                <MenuItem
                  icon={FileText}
                  label={isTextOpen ? 'Hide result sent to the model' : 'Result sent to the model'}
                  onChoose={() => setTextOpen(!isTextOpen)}
                />
                <CopyItem label="Copy result" text={() => text.text} />
              </>
            )}
            <MenuItem
              icon={Braces}
              label={isAllOpen ? 'Hide raw' : 'Raw'}
              onChoose={() => setAllOpen(!isAllOpen)}
            />
            <CopyItem label="Copy link" text={() => messageLink(messageKey, part)} />
          </MenuButton>
        </span>
      </div>
      {isTextOpen && text !== null && (
        <section className="call-raw" aria-label="Result sent to the model">
          <OutputText id={`${id}/output-text`} output={{ ...text, kind: 'text' }} />
        </section>
      )}
      {isAllOpen && (
        <section className="call-data" aria-label="Raw">
          <div className="output-footer">
            <span>Long texts are shortened</span>
            <span className="output-actions">
              <CopyButton text={JSON.stringify(call, null, 2)} label="Copy JSON" />
            </span>
          </div>
          <JsonTree value={call} label="All fields of the call" />
        </section>
      )}
    </>
  )
}

/** The tool calls of one message in one frame. A card that fails to render does not affect the others. */
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
