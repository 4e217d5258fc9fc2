import type { ComponentProps, ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  title: string
  form: ComponentProps<typeof Dialog>['form']
  error: Error | null
  isSaving: boolean
  /** Leaves it with a word on what is in it. */
  onCancel: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog in which the reader says something of their own. */
export function EditDialog({ isSaving, onCancel, children, ...rest }: Props) {
  const actions = (
    <>
      <Button disabled={isSaving} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" look="primary" disabled={isSaving}>
        Save
      </Button>
    </>
  )
  return (
    <Dialog {...rest} actions={actions} isBusy={isSaving}>
      <p>Only gemini-dash keeps this, in a file of its own. Nothing of Gemini CLI is changed.</p>
      {children}
    </Dialog>
  )
}
