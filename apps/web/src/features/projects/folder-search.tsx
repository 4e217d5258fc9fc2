import type { FolderSearch } from '@gemini-dash/api'
import { useMutation } from '@tanstack/react-query'
import { FolderSearch as FolderSearchIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { findFolder } from '../../api/projects.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { Notice } from '../../ui/states/notice.tsx'

/** A button that looks on this computer for the project's folder, and what came of it. */
export function FolderSearchButton({ projectKey }: { projectKey: string }) {
  const running = useRef<AbortController | null>(null)
  const search = useMutation({
    mutationFn: () => {
      running.current = new AbortController()
      return findFolder(projectKey, running.current.signal)
    },
  })
  useEffect(() => () => running.current?.abort(), [])
  const isCancelled = running.current?.signal.aborted === true
  return (
    <div className="folder-search">
      {search.isPending ? (
        <Button onClick={() => running.current?.abort()}>Stop looking</Button>
      ) : (
        <Button onClick={() => search.mutate()}>
          <Icon of={FolderSearchIcon} small />
          Look for this folder
        </Button>
      )}
      <div role="status">
        {search.isPending && 'Looking where code usually is, below your home folder …'}
        {search.data && search.data.path === null && <Notice>{notFoundText(search.data)}</Notice>}
      </div>
      {search.isError && !isCancelled && <Notice tone="error">{search.error.message}</Notice>}
    </div>
  )
}

const ENDS: Record<FolderSearch['looked']['end'], string> = {
  all: '',
  time: ' It stopped after 20 seconds.',
  folders: ' It stopped there: there are more folders than it looks at.',
  cancelled: ' It was stopped.',
}

function notFoundText({ looked, project }: FolderSearch): string {
  const guesses = project.candidates.some(({ evidence }) => evidence === 'search')
  const outcome = guesses ? 'one is called like it, but none has its hash' : 'none has its hash'
  return `Looked at ${formatPlural(looked.folders, 'folder')} below ${looked.places.join(', ')}: ${outcome}.${ENDS[looked.end]}`
}
