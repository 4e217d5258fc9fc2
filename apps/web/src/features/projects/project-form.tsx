import type { ProjectChange } from '@gemini-dash/api'
import { useMutation } from '@tanstack/react-query'
import type { Project } from 'gemini-sessions'
import { type FormEvent, useState } from 'react'
import { changeProject } from '../../api/projects.ts'
import { changedTexts } from '../../lib/browser/changed-texts.ts'
import { EditDialog } from '../../ui/frames/edit-dialog.tsx'

/** A dialog in which the user names a project or says where it lies; an empty field takes that back, one left alone is not sent. */
export function ProjectForm({ project, onClose }: { project: Project; onClose: () => void }) {
  const change = useMutation({
    mutationFn: (fields: ProjectChange) => changeProject(project.key, fields),
    onSuccess: onClose,
  })
  const [said] = useState({
    name: project.nameSource === 'user' ? project.name : '',
    path: project.pathSource === 'user' ? (project.path ?? '') : '',
  })
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const changed = Object.entries(changedTexts(new FormData(event.currentTarget), said))
    if (changed.length === 0) onClose()
    else change.mutate(Object.fromEntries(changed.map(([name, text]) => [name, text || null])))
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
        value={said.name}
        hint={project.nameSource === 'user' ? 'Leave empty for the name of its folder.' : project.name}
      />
      <Field
        name="path"
        label="Path"
        value={said.path}
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
