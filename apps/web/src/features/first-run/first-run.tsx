import '../../ui/states/message-page.css'
import './first-run.css'
import type { Health } from '@gemini-dash/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Lock, RefreshCw, Telescope, TriangleAlert } from 'lucide-react'
import { healthQuery } from '../../api/health.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useSample } from '../../api/settings.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { useDocumentTitle } from '../../lib/hooks/use-document-title.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ShellCommand } from '../../ui/controls/shell-command.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { Notice } from '../../ui/states/notice.tsx'

const WIDTH = 640
const STEP = 10
const LONG_EVERY = 5
const NEEDLE = 400
const BASE = 54

/** Where was looked, once it is known that no session lies there; else null. `isOnlyIfUntouched`: nor a project. */
export function useEmptyHomes({ isOnlyIfUntouched = false } = {}): Health['homes'] | null {
  const health = useQuery(healthQuery()).data
  const projects = useQuery(projectsQuery()).data?.projects
  const isEmpty = isOnlyIfUntouched
    ? projects?.length === 0
    : projects?.every((project) => project.sessions === 0)
  return health?.index.state === 'ready' && isEmpty ? health.homes : null
}

/** Nothing on disk yet: where was looked, and the ways on. */
export function FirstRun({ homes }: { homes: Health['homes'] }) {
  const client = useQueryClient()
  useDocumentTitle('Nothing recorded yet')
  return (
    <main className="message-page" id="main" tabIndex={-1}>
      <Ruler />
      <h1>Nothing recorded yet</h1>
      <p className="lead">
        gemini-dash reads the sessions that Gemini CLI keeps on this computer. None were found where it
        looked. As soon as one appears, it stands here by itself.
      </p>
      <LookedAt homes={homes} />
      <Sandboxes />
      <ol className="ways-on">
        <li>
          <h2>Make a first session</h2>
          <p>Ask Gemini CLI anything in one of your projects, then come back.</p>
          <ShellCommand line="npx @google/gemini-cli" />
        </li>
        <li>
          <h2>Or point to another folder</h2>
          <p>
            A backup, a copy from another computer, or a mounted drive will do. The variable{' '}
            <code>GEMINI_CLI_HOME</code> does the same.
          </p>
          <ShellCommand line="npx gemini-dash --home /path/to/folder" />
        </li>
        <li>
          <h2>Or look around first</h2>
          <p>A sample comes with it. It is shown beside yours, and never mixed with them.</p>
          <SampleButton />
        </li>
      </ol>
      <p className="mt-4">
        <Button onClick={() => void client.invalidateQueries()}>
          <Icon of={RefreshCw} small />
          Look again
        </Button>
      </p>
      <p className="promise">
        <Icon of={Lock} small />
        Nothing leaves this computer, and nothing in the Gemini folder is ever changed.
      </p>
    </main>
  )
}

/** Opens the sample from here; where that fails, the command does. */
function SampleButton() {
  const sample = useSample()
  return (
    <>
      <p className="mt-2">
        <Button size="large" look="primary" disabled={sample.isPending} onClick={() => sample.mutate()}>
          <Icon of={Telescope} small />
          {sample.isPending ? 'Opening the sample…' : 'Open the sample'}
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

/** Why nothing may ever appear here: a container in which Gemini CLI loses its sessions. */
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

function LookedAt({ homes }: { homes: Health['homes'] }) {
  return (
    <section className="looked-at sheet" aria-label="Where it looked">
      <table>
        <tbody>
          {homes.map((home) => (
            <tr key={home.path}>
              <th scope="row" className="mono">
                {home.path}
                {home.antigravity && <p className="other-history">{home.antigravity.text}</p>}
              </th>
              <td className="num">
                {home.exists ? <span className="dim">no sessions in it</span> : <Missing />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Missing() {
  return (
    <span className="tone-warning inline-flex items-center gap-1">
      <Icon of={TriangleAlert} small />
      does not exist
    </span>
  )
}

/** The ruler of the token chart with its needle at rest: an instrument that waits. */
function Ruler() {
  const ticks = Array.from({ length: WIDTH / STEP + 1 }, (_, position) => position)
  return (
    <svg className="ruler" viewBox={`0 0 ${WIDTH} 84`} aria-hidden="true">
      {[10, 30, 66, 80].map((y) => (
        <line key={y} className="grid-line" x1="0" x2={WIDTH} y1={y} y2={y} />
      ))}
      {ticks.map((tick) => {
        const x = Math.min(tick * STEP + 0.5, WIDTH - 0.5)
        return (
          <line key={tick} className="tick" x1={x} x2={x} y1={tick % LONG_EVERY === 0 ? 42 : 48} y2={BASE} />
        )
      })}
      <line className="axis" x1="0" x2={WIDTH} y1={BASE + 0.5} y2={BASE + 0.5} />
      <line className="needle" x1="0" x2={NEEDLE} y1={BASE + 0.5} y2={BASE + 0.5} />
      <line className="needle" x1={NEEDLE} x2={NEEDLE} y1="38" y2="64" />
      <path className="needle-head" d={`M${NEEDLE - 5} 34h10l-5 6z`} />
    </svg>
  )
}
