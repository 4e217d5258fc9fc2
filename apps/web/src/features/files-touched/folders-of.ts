import type { TouchedFile } from 'gemini-sessions'

/** Files with the folder that they lie in. */
export interface FolderOfFiles {
  /** null: files of any folder. */
  folder: string | null
  files: TouchedFile[]
}

/** Files by the folder that they lie in, folders by name. */
export function foldersOf(files: readonly TouchedFile[]): FolderOfFiles[] {
  const folders = new Map<string, TouchedFile[]>()
  for (const file of files) {
    const folder = file.name.includes('/') ? file.name.slice(0, file.name.lastIndexOf('/')) || '/' : '.'
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  return [...folders]
    .map(([folder, files]) => ({ folder, files }))
    .sort((a, b) => (a.folder < b.folder ? -1 : 1))
}
