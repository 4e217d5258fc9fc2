import { Download } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

const ExportDialog = lazyDialog(() => import('./export-dialog.tsx'))

/** Opens how a session leaves, and what is taken out of it on the way. */
export function ExportButton({ sessionRef }: { sessionRef: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Icon of={Download} small />
        <span>Export</span>
      </Button>
      {isOpen && (
        <Suspense>
          <ExportDialog sessionRef={sessionRef} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
