import './file-tree.css'
import { File, Folder } from 'lucide-react'
import type { ReactNode } from 'react'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { formatCount } from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { useOpen } from '../../open/open-store.ts'
import type { FileTreeFile, FileTreeFolder } from './file-tree.ts'

interface Props {
  id: string
  folder: FileTreeFolder
  /** Folders with more files than this are closed at first. */
  opensUpTo: number
  /** What stands at a file's place instead of its name. */
  renderFile?: (file: FileTreeFile) => ReactNode
  /** Of a folder's row; else its files are counted. */
  countOf?: (folder: FileTreeFolder) => number
}

/** Folders that can be folded, and the files in them. */
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
  // a folder that was listed and not opened
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
