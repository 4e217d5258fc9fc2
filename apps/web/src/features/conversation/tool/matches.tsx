import './tool.css'
import { File, Folder } from 'lucide-react'
import type { ReactNode } from 'react'
import { MachineText } from '../../../content/machine-text.tsx'
import { formatCount } from '../../../lib/figures.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useOpen } from '../open-store.ts'

interface Props {
  id: string
  folder: FileTreeFolder
  /** Folders with more files than this start closed. */
  opensUpTo: number
  /** Renders a file in place of its name. */
  renderFile?: (file: FileTreeFile) => ReactNode
  /** Count for a folder's row; default: its files. */
  countOf?: (folder: FileTreeFolder) => number
}

/** Collapsible folders with their files. */
export function FileTreeView({ folder, ...rest }: Props) {
  const { renderFile } = rest
  return (
    <ul className="file-tree" dir="ltr">
      {folder.folders.map((child) => (
        <FolderRow key={child.path} {...rest} folder={child} />
      ))}
      {folder.files.map((file, index) => (
        <li key={`${index} ${file.path}`}>
          {renderFile === undefined ? (
            <span className="file-tree-file">
              <Icon of={File} small />
              <span>
                <MachineText text={file.name} />
              </span>
            </span>
          ) : (
            renderFile(file)
          )}
        </li>
      ))}
    </ul>
  )
}

function FolderRow({ folder, ...rest }: Props) {
  const { id, opensUpTo, countOf } = rest
  const [isOpen, setOpen] = useOpen(`${id}/folder ${folder.path}`, folder.fileCount <= opensUpTo)
  const total = countOf?.(folder) ?? folder.fileCount
  const name = (
    <>
      <Icon of={Folder} small />
      <span>
        <MachineText text={folder.name} />
      </span>
    </>
  )
  // a listed folder that was not opened
  if (folder.fileCount === 0 && folder.folders.length === 0)
    return (
      <li>
        <span className="file-tree-file folder">{name}</span>
      </li>
    )
  return (
    <li>
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="file-tree-head"
        head={
          <>
            {name}
            <span className="file-tree-count">{formatCount(total)}</span>
          </>
        }
      >
        {() => <FileTreeView {...rest} folder={folder} />}
      </Disclosure>
    </li>
  )
}

export interface FileTreeFolder {
  /** `src/money/`; several levels if there is nothing else in between. */
  name: string
  /** Path from the top of the tree; unique. */
  path: string
  folders: FileTreeFolder[]
  files: FileTreeFile[]
  /** In this folder and below. */
  fileCount: number
}

interface FileTreeFile {
  name: string
  /** As given. */
  path: string
}

/** Arranges paths as folders and files below their common folder. A path that ends in `/` is a folder. */
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

/** Merges a folder that contains only one folder with it. */
function merged(folder: FileTreeFolder): FileTreeFolder {
  const [only, ...others] = folder.folders
  if (only !== undefined && others.length === 0 && folder.files.length === 0) {
    return merged({ ...only, name: folder.name + only.name })
  }
  return { ...folder, folders: folder.folders.map(merged) }
}

/** Parts of a regular expression without a fixed text: choices, wildcards, classes, groups, anchors. */
const OPEN_PARTS =
  /\\[bBsSwWdD][+*?]?|\[[^\]]*\][+*?]?|\.[*+?]{1,2}|\)[*+?]?|[|(^$]|(?<=\w)[*+?]|\{\d+,?\d*\}/g
/** Shorter pieces would match too much. */
const MIN_LENGTH = 2

/** Escaped characters are mapped here, so that they are not read as syntax. */
const PRIVATE_USE = 0xe000

/** The literal words of a search pattern, for highlighting. A pattern from a log is never executed. */
export function patternWords(pattern: string): string[] {
  const bare = pattern.replace(/^["']|["']$/g, '')
  const kept = bare.replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) =>
    String.fromCharCode(PRIVATE_USE + sign.charCodeAt(0)),
  )
  const pieces = kept.split(OPEN_PARTS).map(unescaped)
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined && only !== '') return [only]
  return [...new Set(pieces.filter((piece) => piece.trim().length >= MIN_LENGTH))]
}

function unescaped(piece: string): string {
  return piece.replace(/[\ue021-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - PRIVATE_USE))
}
