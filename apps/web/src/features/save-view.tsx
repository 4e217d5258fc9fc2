import { useLocation } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useViewsChange } from '../api/marks.ts'
import { say } from '../lib/copy.ts'
import { EditDialog } from '../ui/dialog.tsx'

/** Saves the current address with its filters under a name; an existing view of that name is replaced. */
export default function SaveView({ onClose }: { onClose: () => void }) {
  const here = useLocation({ select: ({ href }) => href })
  const change = useViewsChange()
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    if (name === '') return
    const onSuccess = () => {
      say(`Saved as “${name}”, in the sidebar of the list and in the palette`)
      onClose()
    }
    change.mutate((views) => [...views.filter((view) => view.name !== name), { name, href: here }], {
      onSuccess,
    })
  }
  return (
    <EditDialog
      title="Save this view"
      form={{ onSubmit: save }}
      error={change.error}
      isSaving={change.isPending}
      onCancel={onClose}
      onClose={onClose}
    >
      <p>This page with its filters and order. Shown in the sidebar of the list.</p>
      <label className="dialog-field">
        <span>Name of the view</span>
        <input name="name" type="text" dir="auto" maxLength={100} required autoComplete="off" />
      </label>
    </EditDialog>
  )
}
