import { Download } from 'lucide-react'
import { type ComponentProps, Suspense, useState } from 'react'
import type { ActionName } from '../../lib/action-table.ts'
import { useActions } from '../../lib/use-actions.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { lazyDialog } from '../../ui/lazy.tsx'

const ExportSeveralDialog = lazyDialog(() => import('./export-several-dialog.tsx'))

type Props = Omit<ComponentProps<typeof ExportSeveralDialog>, 'onClose'> & {
  /** The matching palette action. */
  action?: ActionName
}

/** Opens the export dialog for several sessions. */
export function ExportSeveralButton({ action, ...several }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  useActions(action === undefined ? {} : { [action]: () => void setIsOpen(true) })
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
