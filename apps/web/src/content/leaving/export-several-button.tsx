import { Download } from 'lucide-react'
import { type ComponentProps, Suspense, useState } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { lazyDialog } from '../../ui/lazy/lazy-dialog.tsx'
import { Icon } from '../../ui/signs/icon.tsx'

const ExportSeveralDialog = lazyDialog(() => import('./export-several-dialog.tsx'))

type Props = Omit<ComponentProps<typeof ExportSeveralDialog>, 'onClose'>

/** Opens the way out for several sessions. */
export function ExportSeveralButton(several: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Icon of={Download} small />
        Export
      </Button>
      {isOpen && (
        <Suspense>
          <ExportSeveralDialog {...several} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
