import '../features/session-head/session-head.css'
import type { ExportedAgent, PaperSession } from '@gemini-dash/api'
import { sessionName } from '@gemini-dash/api/session-name'
import { SOURCE_NAMES } from '@gemini-dash/api/source-names'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { Fragment, type ReactNode, useMemo } from 'react'
import { healthQuery } from '../api/queries.ts'
import type { HighlightAnswer, HighlightQuestion } from '../content/highlight.ts'
import workerUrl from '../content/highlight-worker.ts?worker&url'
import { NeighbourContext } from '../content/stored-files.tsx'
import { BuriedNotice } from '../features/conversation/dividers.tsx'
import { SessionCostContext } from '../features/conversation/message/margin.tsx'
import { OpenStore, OpenStoreContext } from '../features/conversation/open-store.ts'
import { headFailures, headTime, headTotals, VerdictLine } from '../features/session-head/head-facts.tsx'
import { zonedSpan } from '../features/session-head/session-span.ts'
import type { CodeLine } from '../lib/code-line.ts'
import { PaperContext } from '../lib/paper.ts'

const clients = { withPrices: clientOf('list-price'), withoutPrices: clientOf('nothing') }

function clientOf(plan: string): QueryClient {
  const client = new QueryClient()
  client.setQueryData<unknown>(healthQuery().queryKey, { homes: [], prices: { plan } })
  return client
}

/** Text that the page would truncate is shown in full. */
const openStore = new OpenStore(undefined, (id) => (id.endsWith('/all') ? true : undefined))
const NO_AGENTS: ReadonlyMap<string, ExportedAgent> = new Map()

interface Props {
  session: PaperSession
  agents?: ReadonlyMap<string, ExportedAgent> | undefined
  children: ReactNode
}

/** Context for components of the page: of the server's data, only whether there are prices. */
export function StartPlace({ session: { detail, hasPrices }, agents = NO_AGENTS, children }: Props) {
  const client = clients[hasPrices ? 'withPrices' : 'withoutPrices']
  const paper = useMemo(() => ({ agents, iconId, highlight }), [agents])
  const place = {
    sessionRef: '',
    root: detail.session.project.path,
    savedOutputs: [],
    images: [],
    plans: [],
    related: [],
  }
  return (
    <PaperContext value={paper}>
      <QueryClientProvider client={client}>
        <OpenStoreContext value={openStore}>
          <NeighbourContext value={place}>
            <SessionCostContext value={detail.session.cost?.usd ?? null}>{children}</SessionCostContext>
          </NeighbourContext>
        </OpenStoreContext>
      </QueryClientProvider>
    </PaperContext>
  )
}

/** SVG definitions of the icons used in the document. */
function PaperIcons() {
  return (
    <svg className="paper-icons" aria-hidden="true">
      {iconBook.map((Drawing) => (
        <symbol key={iconId(Drawing)} id={iconId(Drawing)} viewBox="0 0 24 24">
          <Drawing />
        </symbol>
      ))}
    </svg>
  )
}

type Hear = (event: { data: HighlightQuestion }) => void

/** Cached, because React renders again after suspending. */
const MAX_CACHED = 200
const cache = new Map<string, Promise<CodeLine[] | null>>()
const waiting = new Map<number, (lines: CodeLine[] | null) => void>()
let loaded: Promise<Hear> | undefined
let lastId = 0

/** Highlighted lines of `code`, from the page's own worker. */
function highlight(code: string, language: string): Promise<CodeLine[] | null> {
  const key = `${language}\n${code}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const oldest = cache.keys().next()
  if (cache.size >= MAX_CACHED && !oldest.done) cache.delete(oldest.value)
  const asked = ask(code, language)
  cache.set(key, asked)
  return asked
}

async function ask(code: string, language: string): Promise<CodeLine[] | null> {
  loaded ??= loadWorker()
  const hear = await loaded.catch(() => null)
  if (hear === null) return null
  lastId += 1
  const id = lastId
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    hear({ data: { id, code, language } })
  })
}

/** Loads the worker script into this thread, with a stand-in for its global scope. */
async function loadWorker(): Promise<Hear> {
  let heard: Hear | undefined
  const scope = {
    addEventListener: (_: string, hear: Hear) => {
      heard = hear
    },
    postMessage: ({ id, lines }: HighlightAnswer) => {
      waiting.get(id)?.(lines)
      waiting.delete(id)
    },
  }
  Object.defineProperty(globalThis, 'self', { value: scope, configurable: true })
  await import(/* @vite-ignore */ new URL(workerUrl, import.meta.url).href)
  if (heard === undefined) throw new Error('The highlighter did not listen.')
  return heard
}

/** The icons in use, by number: each is defined once in a document and referenced elsewhere. */
const iconBook: LucideIcon[] = []

/** The id of an icon; registers it on first use. */
function iconId(icon: LucideIcon): string {
  if (!iconBook.includes(icon)) iconBook.push(icon)
  return `i${iconBook.indexOf(icon)}`
}

/** Above the conversation: title, outcome, one line of facts, and the export options. */
export function PaperTop({ session, said }: { session: PaperSession; said: string }) {
  const { detail } = session
  return (
    <>
      <header className="paper-head">
        <h1 dir="auto">{sessionName(detail.session)}</h1>
        <div className="session-verdict">
          <VerdictLine sessionRef="" session={detail.session} now={null} />
        </div>
        <PaperFacts {...session} />
        <p className="paper-facts">{said}</p>
      </header>
      {detail.session.buried && <BuriedNotice cause={detail.buriedBy} />}
      {detail.messageTotal === 0 && (
        <p className="conversation-empty">No message was recorded in this session.</p>
      )}
    </>
  )
}

/** Below the conversation: closing remarks and icon definitions. */
export function PaperEnd({ said }: { said: string | null }) {
  return (
    <>
      {said !== null && <p className="paper-facts">{said}</p>}
      <PaperIcons />
    </>
  )
}

/** One line; each fact in its own text direction. */
function PaperFacts({ detail, hasPrices }: PaperSession) {
  const { session } = detail
  const facts = [
    session.project.name,
    session.source !== 'gemini-cli' && SOURCE_NAMES[session.source],
    zonedSpan(session) || 'No date',
    headTime(detail, new Date(session.endTime ?? 0))?.active,
    headTotals(detail, hasPrices).text,
    headFailures(session),
    ...(session.models ?? []).map(({ name }) => name),
  ]
  return (
    <p className="paper-facts">
      {facts
        .filter((fact): fact is string => typeof fact === 'string' && fact !== '')
        .map((fact, index) => (
          <Fragment key={index}>
            {index > 0 && ' · '}
            <bdi>{clipped(fact)}</bdi>
          </Fragment>
        ))}
    </p>
  )
}

/** A recorded name may have a megabyte. */
const MAX_FACT_LETTERS = 80

function clipped(fact: string): string {
  const letters = Array.from(fact.slice(0, 2 * MAX_FACT_LETTERS + 2))
  return letters.length > MAX_FACT_LETTERS ? `${letters.slice(0, MAX_FACT_LETTERS).join('')}…` : fact
}
