import '../ui/ui.css'
import type { Health } from '@gemini-dash/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RefreshCw, Telescope } from 'lucide-react'
import { Fragment } from 'react'
import { healthQuery, useSample } from '../api/queries.ts'
import { sessionCountQuery } from '../api/sessions.ts'
import { projectsQuery } from '../api/usage.ts'
import { MachineText } from '../content/machine-text.tsx'
import { formatPlural } from '../lib/figures.ts'
import { useDocumentTitle } from '../lib/hooks.ts'
import { Button } from '../ui/buttons/button.tsx'
import { ShellCommand } from '../ui/controls.tsx'
import { Icon } from '../ui/icons.tsx'
import { Notice } from '../ui/states.tsx'

/** The Gemini folders, once they are known to contain no sessions; else null. `isOnlyIfUntouched`: nor any projects. */
export function useEmptyHomes({ isOnlyIfUntouched = false } = {}): Health['homes'] | null {
  const health = useQuery(healthQuery()).data
  const projects = useQuery(projectsQuery()).data?.projects
  const isEmpty = isOnlyIfUntouched
    ? projects?.length === 0
    : projects?.every((project) => project.sessions === 0)
  // opened chats belong to no project, and may be all that was opened
  const isHome = health?.opened === undefined
  return health?.index.state === 'ready' && isHome && isEmpty ? health.homes : null
}

/** No sessions on disk yet: where they were looked for, and what to do next. */
export function FirstRun({ homes }: { homes: Health['homes'] }) {
  const client = useQueryClient()
  useDocumentTitle('No sessions found yet')
  return (
    <main className="message-page" id="main" tabIndex={-1}>
      <h1>No sessions found yet</h1>
      <p className="lead">
        They’ll appear here as soon as there are any. gemini-dash looked in <LookedAt homes={homes} />.
      </p>
      <OtherKinds />
      {homes.map(
        ({ path, antigravity }) =>
          antigravity && (
            <p key={path} className="lead">
              {antigravity.text}
            </p>
          ),
      )}
      <Sandboxes />
      <ol className="ways-on">
        <li>
          <h2>Start your first session</h2>
          <p>Run Gemini CLI in a project folder and ask it something.</p>
          <ShellCommand line="npx @google/gemini-cli" />
        </li>
        <li>
          <h2>Use another folder</h2>
          <p>You can also set GEMINI_CLI_HOME.</p>
          <ShellCommand line="npx gemini-dash --home /path/to/.gemini" />
        </li>
        <li>
          <h2>Try it with sample data</h2>
          <p>Opens separately; it never mixes with your data.</p>
          <SampleButton />
        </li>
      </ol>
      <p>
        Someone sent you a session?{' '}
        <Link to="/open" className="link">
          Open a session file…
        </Link>
      </p>
      <p className="mt-4">
        <Button look="primary" onClick={() => void client.invalidateQueries()}>
          <Icon of={RefreshCw} small />
          Check again
        </Button>
      </p>
      <p className="mt-4 text-ink-3">Reads only. Nothing leaves this computer.</p>
    </main>
  )
}

/** What is no session, and only its own list shows. */
function OtherKinds() {
  const chats = useQuery(sessionCountQuery({ kind: 'checkpoint' })).data ?? 0
  const prompts = useQuery(sessionCountQuery({ kind: 'prompts-only' })).data ?? 0
  if (chats + prompts === 0) return null
  return (
    <p className="lead">
      {chats > 0 && (
        <Link to="/" search={{ kind: 'checkpoint' }} className="link">
          Show {formatPlural(chats, 'saved chat')}
        </Link>
      )}
      {chats > 0 && prompts > 0 && ', '}
      {prompts > 0 && (
        <Link to="/" search={{ kind: 'prompts-only' }} className="link">
          Show {formatPlural(prompts, 'session with prompts only', 'sessions with prompts only')}
        </Link>
      )}
    </p>
  )
}

/** Opens the sample; if that fails, the command still works. */
function SampleButton() {
  const sample = useSample()
  return (
    <>
      <p className="mt-2">
        <Button disabled={sample.isPending} onClick={() => sample.mutate()}>
          <Icon of={Telescope} small />
          {sample.isPending ? 'Opening…' : 'Open the sample'}
        </Button>
      </p>
      {sample.isError && (
        <>
          <Notice tone="error">{sample.error.message}</Notice>
          <ShellCommand line="npx gemini-dash --demo" />
        </>
      )}
    </>
  )
}

/** Why sessions may never appear: a container in which Gemini CLI loses them. */
function Sandboxes() {
  const sandboxes = useQuery(healthQuery()).data?.sandboxes ?? []
  return sandboxes.map(({ source, text, advice }) => (
    <Notice key={source} tone="warning">
      <p>
        <MachineText text={text} />
      </p>
      <p>{advice}</p>
    </Notice>
  ))
}

/** The scanned folders, and which of them do not exist. */
function LookedAt({ homes }: { homes: Health['homes'] }) {
  return homes.map(({ path, exists }, index) => (
    <Fragment key={path}>
      {index > 0 && (index === homes.length - 1 ? ' and ' : ', ')}
      <code>{path}</code>
      {!exists && ', which doesn’t exist'}
    </Fragment>
  ))
}
