import { Play } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { ContinueContext } from '../../content/continue-context.ts'
import { useActions } from '../../lib/use-actions.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'

const ResumeDialog = lazyDialog(() => import('./resume-dialog.tsx'))

/** Shows the command that resumes a session in Gemini CLI. */
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

/** Lets the reader branch off a new session at any prompt inside. */
export function ContinueLayer({ sessionRef, children }: { sessionRef: string; children: ReactNode }) {
  const [at, setAt] = useState<number | null>(null)
  return (
    <ContinueContext value={setAt}>
      {children}
      {at !== null && (
        <Suspense>
          <ResumeDialog sessionRef={sessionRef} at={at} onClose={() => setAt(null)} />
        </Suspense>
      )}
    </ContinueContext>
  )
}
