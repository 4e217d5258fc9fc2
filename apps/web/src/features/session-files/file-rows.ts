import type { SessionNeighbours } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import type { NeighbourFile } from 'gemini-sessions'

export interface FileRow {
  key: string
  /** What kind of file this is, in words. */
  kind: string
  name: string
  /** null: no longer there. */
  file: NeighbourFile | null
  /** A restore point has its time in its name. null: none is recorded, the file has its date only. */
  time: string | null
  /** The message that the file belongs to. */
  messageKey: string | null
  /** What more is known of it. */
  remark: string
  isShared: boolean
}

/** Outputs, pictures, restore points and all the rest as rows of one list. */
export function fileRows({ savedOutputs, images, restorePoints, otherFiles }: SessionNeighbours): FileRow[] {
  return [
    ...savedOutputs.map(({ name, file, messageKey, toolName }) => ({
      kind: 'Saved output',
      name,
      file,
      time: null,
      messageKey,
      remark: toolName === null ? 'of a call that is not recorded' : `of ${toolLabel(toolName)}`,
      isShared: false,
    })),
    ...images.map(({ name, file, messageKey }) => ({
      kind: 'Pasted picture',
      name,
      file,
      time: null,
      messageKey,
      remark: '',
      isShared: false,
    })),
    ...restorePoints.map(({ file, time, targetName, toolName, commit, scope }) => ({
      kind: 'Restore point',
      name: nameOf(file),
      file,
      time,
      messageKey: null,
      remark: restoreRemark(targetName, toolName, commit),
      isShared: scope === 'project',
    })),
    ...otherFiles.map((file) => ({
      kind: 'Other file',
      name: nameOf(file),
      file,
      time: null,
      messageKey: null,
      remark: '',
      isShared: false,
    })),
  ].map((row, index) => ({ key: row.file?.id ?? `${index} ${row.name}`, ...row }))
}

function restoreRemark(target: string | null, tool: string | null, commit: string | null): string {
  const edit = target === null ? '' : `before ${toolLabel(tool ?? 'an edit')} of ${target}`
  return [edit, commit === null ? '' : `commit ${commit.slice(0, 8)}`]
    .filter((part) => part !== '')
    .join(', ')
}

function nameOf({ path }: NeighbourFile): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
