import '../ui/rail.css'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { useOpenFiles } from '../api/open-files.ts'
import { healthQuery } from '../api/queries.ts'
import { classNames } from '../lib/browser.ts'
import { type ChosenFile, filesOfDrop, filesOfInput } from '../lib/chosen-files.ts'
import { formatCount, formatPlural } from '../lib/figures.ts'
import { useDocumentTitle } from '../lib/hooks.ts'
import { Button } from '../ui/buttons/button.tsx'
import { ShellCommand } from '../ui/controls.tsx'
import { Notice } from '../ui/states.tsx'

/** Opens sessions from others, separate from the history. */
export function OpenPage() {
  useDocumentTitle('Open a session file')
  const isSample = useQuery(healthQuery()).data?.demo === true
  return (
    <main className="page-main" id="main" tabIndex={-1}>
      <h1 className="page-title">Open a session file</h1>
      <p>View a session that someone sent you. The file stays where it is and isn’t added to your history.</p>
      {isSample ? <Notice>Not available in the demo.</Notice> : <DropZone />}
    </main>
  )
}

function DropZone() {
  const { opening, done } = useOpenFiles()
  const [isOver, setOver] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [count, setCount] = useState(0)
  const choose = async (choosing: Promise<ChosenFile[]>) => {
    try {
      const files = await choosing
      setProblem(files.length === 0 ? 'There is no .json, .jsonl or .zip file in it.' : null)
      setCount(files.length)
      if (files.length > 0) opening.mutate(files)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const drag = (isInside: boolean) => (event: DragEvent) => {
    // otherwise the browser opens the file itself
    event.preventDefault()
    setOver(isInside)
  }
  const drop = (event: DragEvent) => {
    drag(false)(event)
    if (!opening.isPending) void choose(filesOfDrop(event.dataTransfer))
  }
  const progress = count > 1 ? `Opening ${formatCount(done + 1)} of ${formatCount(count)}…` : 'Opening…'
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it do the same by keyboard */}
      <div
        className={classNames(
          'drop-zone my-3 rounded-lg border-[1.5px] border-accent bg-accent-soft p-6 text-center text-ink-2 [&>.button]:mt-1',
          isOver ? 'border-solid' : 'border-dashed',
        )}
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={drop}
      >
        <b className="block text-ink">Drop .json or .jsonl files here</b>
        or
        <br />
        <FileChooser label="Session files" isDisabled={opening.isPending} onChoose={choose}>
          {opening.isPending ? progress : 'Choose files…'}
        </FileChooser>{' '}
        <FileChooser
          label="Folder of session files"
          isFolder
          isDisabled={opening.isPending}
          onChoose={choose}
        >
          Choose folder…
        </FileChooser>
      </div>
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      {opening.isError && <Notice tone="error">{opening.error.message}</Notice>}
      {opening.data !== undefined && <Refused {...opening.data} />}
      <p>
        Session files, chats of /chat share and /bug, exports of gemini-dash, and zips of these, up to 64 MB
        together.
      </p>
      <p>Larger files and folders, in a terminal:</p>
      <ShellCommand line="npx gemini-dash open PATH" />
    </>
  )
}

interface ChooserProps {
  label: string
  isFolder?: boolean
  isDisabled: boolean
  onChoose: (choosing: Promise<ChosenFile[]>) => void
  children: string
}

function FileChooser({ label, isFolder = false, isDisabled, onChoose, children }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        look={isFolder ? 'plain' : 'primary'}
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={label}
        multiple
        {...(isFolder ? { webkitdirectory: '' } : { accept: '.json,.jsonl,.zip' })}
        onChange={({ target }) => {
          onChoose(Promise.resolve(filesOfInput(target.files ?? [])))
          // allows choosing the same file again
          target.value = ''
        }}
      />
    </>
  )
}

/** Limit of listed errors. */
const MOST_TOLD = 20

/** Why some files are not shown, with a link to the others. */
function Refused({ url, opened, refused }: { url: string | null; opened: number; refused: string[] }) {
  if (refused.length === 0) return null
  const rest = refused.length - MOST_TOLD
  return (
    <>
      <Notice tone="error">
        {refused.slice(0, MOST_TOLD).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {rest > 0 && <p>And {formatPlural(rest, 'more file')} could not be opened.</p>}
      </Notice>
      {url !== null && (
        <p>
          <Button look="primary" onClick={() => window.location.assign(url)}>
            {opened === 1 ? 'Show the file that was opened' : `Show ${formatCount(opened)} opened files`}
          </Button>
        </p>
      )}
    </>
  )
}
