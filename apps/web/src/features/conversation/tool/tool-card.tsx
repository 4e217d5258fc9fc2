import './tool.css'
import './call-state.css'
import './output/output-body.css'
import { FATE_WORDS } from '@gemini-dash/api/fate-words'
import type { CallFate, Cut, Part, ToolCall, ToolOutput } from 'gemini-sessions'
import {
  Ban,
  Bookmark,
  BookOpen,
  Box,
  Check,
  CircleDashed,
  CirclePause,
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
  X,
} from 'lucide-react'
import { useContext } from 'react'
import { NotHeld } from '../../../content/badges/session-badges.tsx'
import { NeighbourContext } from '../../../content/neighbours/neighbour-context.ts'
import { HitContext, type HitTerm } from '../../../content/text/hit-context.ts'
import { MachineText } from '../../../content/text/machine-text.tsx'
import { hasHit } from '../../../content/text/mark-ranges.ts'
import { openAtFirst } from '../../../lib/browser/appearance.ts'
import { classNames } from '../../../lib/browser/class-names.ts'
import { formatClock } from '../../../lib/figures/format.ts'
import { Disclosure } from '../../../ui/controls/disclosure.tsx'
import { ToMessage } from '../../../ui/controls/to-message.tsx'
import { Icon } from '../../../ui/signs/icon.tsx'
import { LiveWord } from '../../../ui/signs/live-word.tsx'
import { useOpen } from '../open/open-store.ts'
import { messageAnchor } from '../part/message-link.ts'
import { PartBody } from '../part/part-body.tsx'
import { PartLink } from '../part/part-link.tsx'
import { KindBody } from './body/kind-body.tsx'
import type { DrawCalls } from './call/draw-calls.ts'
import { failureWords } from './call/failure-words.ts'
import { toolArgument } from './call/tool-argument.ts'
import { type ToolKind, toolKind } from './call/tool-kind.ts'
import { type ToolOutcome, toolOutcome } from './call/tool-outcome.ts'
import { toolTitle } from './call/tool-title.ts'
import { CallFoot } from './call-foot.tsx'
import { OutputText } from './output/output-text.tsx'
import { SavedOutputs } from './saved/saved-outputs.tsx'

/** Kinds that show their task or their proposal also where they failed. */
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

const ICONS: Record<Exclude<ToolOutcome['state'], 'running'>, LucideIcon> = {
  success: Check,
  failed: X,
  waiting: Hand,
  cancelled: Ban,
  stopped: OctagonAlert,
  background: CirclePause,
  unanswered: CircleDashed,
}

interface Props {
  /** Of the call in its session: message key and place. */
  id: string
  call: ToolCall
  /** The last call of a session that is being written now. */
  isPending: boolean
  drawCalls: DrawCalls
}

/** Running calls are open; for others the reader says in the settings. */
function opensAtFirst(call: ToolCall, state: ToolOutcome['state']): boolean {
  const opened = openAtFirst.get()
  if (state === 'failed') return opened.includes('failures')
  return state === 'running' || (opened.includes('edits') && /^(edit|write)$/.test(toolKind(call)))
}

/** One call: a head that is one button, and what came of it. Failures and running calls are open at first. */
export function ToolCard({ id, call, isPending, drawCalls }: Props) {
  const terms = useContext(HitContext)
  const { root } = useContext(NeighbourContext)
  const outcome = toolOutcome(call, isPending)
  const [isOpen, setOpen] = useOpen(
    id,
    opensAtFirst(call, outcome.state) || (terms.length > 0 && isFoundIn(call, terms)),
  )
  const [messageKey = '', part = ''] = id.split(/\/(?=call-\d+$)/)
  return (
    <div id={messageAnchor(messageKey, part)} className={classNames('call', 'has-part-link', outcome.state)}>
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="call-head"
        head={
          <>
            <Icon of={TOOL_ICONS[toolKind(call)]} className="call-kind" />
            <span className="call-name" dir="auto" title={call.name}>
              <MachineText text={toolTitle(call)} />
            </span>
            <span className="call-argument" dir="ltr">
              <MachineText text={toolArgument(call, root)} />
            </span>
            <span className="call-result">
              <ChangedLines call={call} />
              <CallState outcome={outcome} />
              {call.fate && <span className="call-fate">{FATE_WORDS[call.fate.kind]}</span>}
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
      <PartLink messageKey={messageKey} part={part} what="call" />
    </div>
  )
}

function cutOf(output: ToolOutput): Cut | undefined {
  return 'cut' in output ? output.cut : undefined
}

function ChangedLines({ call }: { call: ToolCall }) {
  const { display } = call
  if (display?.kind !== 'diff') return null
  return (
    <span className="changed-lines">
      {display.linesAdded > 0 && <span className="tone-success">+{display.linesAdded}</span>}
      {display.linesRemoved > 0 && <span className="tone-error">−{display.linesRemoved}</span>}
    </span>
  )
}

function isFoundIn(call: ToolCall, terms: readonly HitTerm[]): boolean {
  return hasHit(JSON.stringify([call.args, call.display ?? call.output]), terms)
}

/** How a call ended, in an icon and a word. Success is quiet: only its tick is green. */
function CallState({ outcome }: { outcome: ToolOutcome }) {
  if (outcome.state === 'running') return <LiveWord>{outcome.word}</LiveWord>
  return (
    <span className={`call-state ${outcome.state}`}>
      <Icon of={ICONS[outcome.state]} small />
      <span>
        <MachineText text={outcome.word} />
      </span>
    </span>
  )
}

interface ToolBodyProps {
  id: string
  call: ToolCall
  drawCalls: DrawCalls
}

/** An open call: why it failed, what it did, what else came with it, and all of its fields. */
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
      {call.fate && <FateOfCall fate={call.fate} />}
      <CallFoot id={id} call={call} />
    </div>
  )
}

/** Where the same worked before, and where it worked again. */
function FateOfCall({ fate: { kind, worked, succeeded } }: { fate: CallFate }) {
  const { sessionRef } = useContext(NeighbourContext)
  const place = succeeded ?? worked
  if (kind === 'neverRerun' || place === null) return null
  const words = succeeded === null ? 'Worked' : 'Later succeeded'
  return (
    <p className="output-remark">
      <ToMessage sessionRef={sessionRef} messageKey={place.messageKey} call={null}>
        {place.timestamp === null ? words : `${words} at ${formatClock(place.timestamp, 'seconds')}`}
      </ToMessage>
    </p>
  )
}

/** Parts that came with the result; the files of a `read_many_files` are drawn as files. */
function beside(call: ToolCall, kind: ToolKind): Part[] {
  return kind === 'read-many' ? call.extraParts.filter((part) => part.kind !== 'text') : call.extraParts
}

/** What went wrong: a plain sentence, then the words of the error. */
function CallFailure({ id, call }: { id: string; call: ToolCall }) {
  const words = failureWords(call)
  const { output, display } = call
  const told = output.kind === 'error' || output.kind === 'text' ? output : display
  return (
    <>
      {words !== null && <p className="failure-sentence">{words.sentence}</p>}
      {told !== null && 'text' in told && (
        <OutputText id={`${id}/error`} output={{ ...told, kind: 'error' }} />
      )}
    </>
  )
}
