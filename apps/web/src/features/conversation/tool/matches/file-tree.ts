export interface FileTreeFolder {
  /** `src/money/`, several steps where nothing else lies between. */
  name: string
  /** From the top of the tree; its identity. */
  path: string
  folders: FileTreeFolder[]
  files: FileTreeFile[]
  /** In this folder and below it. */
  fileCount: number
}

export interface FileTreeFile {
  name: string
  /** As it was told. */
  path: string
}

/** Paths as folders and files, below what all of them have in common. A path that ends in `/` is a folder of its own. */
export function fileTree(paths: readonly string[], root = ''): FileTreeFolder {
  const top = emptyFolder('', '')
  const base = root.replace(/[/\\]+$/, '')
  for (const path of paths) {
    const isBelow = base !== '' && path.startsWith(base)
    addPath(top, (isBelow ? path.slice(base.length) : path).split(/[/\\]/), path)
  }
  count(top)
  return { ...top, folders: top.folders.map(merged) }
}

function addPath(top: FileTreeFolder, steps: string[], path: string): void {
  const name = steps.at(-1) ?? ''
  let folder = top
  const isAbsolute = steps[0] === '' && path.startsWith('/')
  for (const [index, step] of steps.slice(0, -1).entries()) {
    if (step === '') continue
    const shown =
      isAbsolute && index === 1 && folder === top && path.startsWith(`/${step}`) ? `/${step}/` : `${step}/`
    folder = childFolder(folder, shown)
  }
  if (name !== '') folder.files.push({ name, path })
}

function childFolder(folder: FileTreeFolder, name: string): FileTreeFolder {
  const known = folder.folders.find((child) => child.name === name)
  if (known !== undefined) return known
  const child = emptyFolder(name, folder.path + name)
  folder.folders.push(child)
  return child
}

function emptyFolder(name: string, path: string): FileTreeFolder {
  return { name, path, folders: [], files: [], fileCount: 0 }
}

function count(folder: FileTreeFolder): number {
  folder.fileCount = folder.files.length
  for (const child of folder.folders) folder.fileCount += count(child)
  return folder.fileCount
}

/** A folder that holds one folder and nothing else stands in one line with it. */
function merged(folder: FileTreeFolder): FileTreeFolder {
  const [only, ...others] = folder.folders
  if (only !== undefined && others.length === 0 && folder.files.length === 0) {
    return merged({ ...only, name: folder.name + only.name })
  }
  return { ...folder, folders: folder.folders.map(merged) }
}
