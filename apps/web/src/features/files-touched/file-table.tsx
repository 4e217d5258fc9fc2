import '../../ui/frames/panel.css'
import { Fragment, useState } from 'react'
import { MachineText } from '../../content/text/machine-text.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { TouchedFileRow } from './file-row.tsx'
import type { FolderOfFiles } from './folders-of.ts'

interface Props {
  sessionRef: string
  sessionKey: string
  projectKey: string
  folders: readonly FolderOfFiles[]
  onJump: (messageKey: string, offset: number | null) => void
}

/** A long list is shown so far at first. */
const FIRST_ROWS = 100

export function FileTable({ folders, ...rest }: Props) {
  const [isAll, setIsAll] = useState(false)
  const total = folders.reduce((sum, { files }) => sum + files.length, 0)
  let left = isAll ? total : FIRST_ROWS
  return (
    <ScrollRegion label="Files touched" className="files-table">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" className="num">
              Read
            </th>
            <th scope="col" className="num">
              Searched
            </th>
            <th scope="col" className="num">
              Changed
            </th>
            <th scope="col" className="num">
              Failed
            </th>
            <th scope="col" className="num">
              Net lines
            </th>
            <th scope="col" className="num">
              Last
            </th>
          </tr>
        </thead>
        <tbody>
          {folders.map(({ folder, files }) => {
            const shown = files.slice(0, Math.max(left, 0))
            left -= shown.length
            return (
              <Fragment key={folder ?? ''}>
                {folder !== null && shown.length > 0 && (
                  <tr className="files-folder">
                    <th scope="rowgroup" colSpan={7}>
                      <MachineText text={folder} />
                    </th>
                  </tr>
                )}
                {shown.map((file) => (
                  <TouchedFileRow key={file.path} file={file} isShort={folder !== null} {...rest} />
                ))}
              </Fragment>
            )
          })}
        </tbody>
      </table>
      {total > FIRST_ROWS && !isAll && (
        <button type="button" className="link files-more" onClick={() => setIsAll(true)}>
          Show all {total} files
        </button>
      )}
    </ScrollRegion>
  )
}
