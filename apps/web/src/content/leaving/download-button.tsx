import './export.css'
import { useEffect, useRef, useState } from 'react'
import { download } from '../../api/request/download.ts'
import { formatSize } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'

type State =
  | { kind: 'idle' }
  | { kind: 'running'; bytes: number }
  | { kind: 'done'; bytes: number }
  | { kind: 'failed'; why: string }

/** Fetches a file that is made meanwhile: says how much of it is there, and can be stopped. */
export function DownloadButton({ href }: { href: string }) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const stop = new AbortController()
    running.current = stop
    let bytes = 0
    setState({ kind: 'running', bytes })
    const tell = (so: number) => {
      bytes = so
      setState({ kind: 'running', bytes })
    }
    try {
      await download(href, stop.signal, tell)
      setState({ kind: 'done', bytes })
    } catch (error) {
      if (stop.signal.aborted) setState({ kind: 'idle' })
      else setState({ kind: 'failed', why: error instanceof Error ? error.message : String(error) })
    }
  }
  return (
    <>
      <span className="export-progress" role="status">
        {wordsOf(state)}
      </span>
      {state.kind === 'running' ? (
        <Button onClick={() => running.current?.abort()}>Stop</Button>
      ) : (
        <Button look="primary" onClick={() => void start()}>
          Download
        </Button>
      )}
    </>
  )
}

function wordsOf(state: State): string {
  if (state.kind === 'running') return state.bytes === 0 ? 'Writing …' : `${formatSize(state.bytes)} …`
  if (state.kind === 'done') return `${formatSize(state.bytes)}, downloaded`
  return state.kind === 'failed' ? `Not downloaded: ${state.why}` : ''
}
