import { Forward } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

const HandoverDialog = lazyDialog(() => import('./handover-dialog.tsx'))

/** Opens what another agent needs to go on with a session. */
export function HandoverButton({ sessionRef }: { sessionRef: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Icon of={Forward} small />
        <span>Hand over</span>
      </Button>
      {isOpen && (
        <Suspense>
          <HandoverDialog sessionRef={sessionRef} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
