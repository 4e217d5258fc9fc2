import { useMutation } from '@tanstack/react-query'
import type { Project } from 'gemini-sessions'
import type { FormEvent } from 'react'
import { changeProject } from '../../api/projects.ts'
import { EditDialog } from '../../ui/frames/edit-dialog.tsx'

/** A dialog in which the user names a project or says where it lies; an empty field takes that back. */
export function ProjectForm({ project, onClose }: { project: Project; onClose: () => void }) {
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
    <EditDialog
      title="Name and path"
      form={{ onSubmit: save }}
      error={change.error}
      isSaving={change.isPending}
      onCancel={onClose}
      onClose={onClose}
    >
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
    </EditDialog>
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
    <label className="dialog-field">
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
