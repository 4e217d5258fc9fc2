import { Play } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useActions } from '../../lib/actions/use-actions.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

const ResumeDialog = lazyDialog(() => import('./resume-dialog.tsx'))

/** Opens the command with which Gemini CLI goes on with a session. */
export function ResumeButton({ sessionRef }: { sessionRef: string }) {
  const [isOpen, setIsOpen] = useState(false)
  useActions({ resumeSession: () => void setIsOpen(true) })
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Icon of={Play} small />
        <span>Resume</span>
      </Button>
      {isOpen && (
        <Suspense>
          <ResumeDialog sessionRef={sessionRef} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
