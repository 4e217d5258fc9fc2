import '../../ui/frames/dialog-form.css'
import { useMutation } from '@tanstack/react-query'
import type { Project } from 'gemini-sessions'
import { type FormEvent, useId } from 'react'
import { changeProject } from '../../api/projects.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Notice } from '../../ui/states/notice.tsx'

/** A dialog in which the user names a project or says where it lies; an empty field takes that back. */
export function ProjectForm({ project, onClose }: { project: Project; onClose: () => void }) {
  const titleId = useId()
  const change = useMutation({
    mutationFn: (fields: { name: string | null; path: string | null }) => changeProject(project.key, fields),
    onSuccess: onClose,
  })
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    change.mutate({ name: textOf(fields.get('name')), path: textOf(fields.get('path')) })
  }
  return (
    <dialog
      className="dialog-form"
      aria-labelledby={titleId}
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={onClose}
    >
      <form onSubmit={save}>
        <h2 id={titleId}>Name and path</h2>
        <p>Only gemini-dash keeps this, in a file of its own. Nothing of Gemini CLI is changed.</p>
        <Field
          name="name"
          label="Name"
          value={project.nameSource === 'user' ? project.name : ''}
          hint={project.nameSource === 'user' ? 'Leave empty for the name of its folder.' : project.name}
        />
        <Field
          name="path"
          label="Path"
          value={project.pathSource === 'user' ? (project.path ?? '') : ''}
          hint={project.path ?? project.candidates[0]?.path ?? '/home/ada/code/shop'}
        />
        {change.isError && <Notice tone="error">{change.error.message}</Notice>}
        <div className="dialog-form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={change.isPending}>
            Save
          </Button>
        </div>
      </form>
    </dialog>
  )
}

interface FieldProps {
  name: string
  label: string
  value: string
  hint: string
}

function Field({ name, label, value, hint }: FieldProps) {
  return (
    <label className="dialog-form-field">
      <span>{label}</span>
      <input
        name={name}
        type="text"
        dir="auto"
        defaultValue={value}
        placeholder={hint}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  )
}

function textOf(field: FormDataEntryValue | null): string | null {
  const text = typeof field === 'string' ? field.trim() : ''
  return text === '' ? null : text
}
