import type { TouchedFile } from 'gemini-sessions'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatClock, formatCount, formatPlural } from '../../lib/figures/format.ts'
import { LineChangeFigure } from '../../ui/figures/line-change.tsx'
import { TimeText } from '../../ui/figures/time-text.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { FileDetail } from './file-detail.tsx'

interface Props {
  file: TouchedFile
  /** Under the name of its folder. */
  isShort: boolean
  sessionRef: string
  sessionKey: string
  projectKey: string
  onJump: (messageKey: string, offset: number | null) => void
}

/** One file; opened, its net diff and the calls behind it. */
export function TouchedFileRow({ file, isShort, ...rest }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const changes = file.writes + file.edits
  const name = isShort ? (file.name.split('/').at(-1) ?? file.name) : file.name
  return (
    <>
      <tr className={changes > 0 ? 'files-changed' : undefined}>
        <th scope="row">
          <button
            type="button"
            className="file-toggle"
            aria-expanded={isOpen}
            title={file.path}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Icon of={ChevronRight} small className="disclosure-chevron" />
            <span className="mono file-name" dir="ltr">
              <MachineText text={name === '.' ? './' : name} />
            </span>
            {file.isNew && <span className="file-mark">new</span>}
            {file.byAgents > 0 && <span className="file-mark">sub-agent</span>}
            {file.superseded > 0 && (
              <span className="file-mark">{formatPlural(file.superseded, 'call')} taken back</span>
            )}
          </button>
        </th>
        <Count count={file.reads} />
        <Count count={file.searches} />
        <Count count={changes} isMain />
        <td className={file.failed > 0 ? 'num error' : 'num none'}>
          {file.failed > 0 && (
            <button
              type="button"
              className="failure-link"
              title="Show the calls"
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              {formatCount(file.failed)}
            </button>
          )}
        </td>
        <td className="num">
          <NetLines file={file} />
        </td>
        <td className="num dim">
          {file.lastTime !== null && (
            <TimeText time={file.lastTime}>{formatClock(file.lastTime, 'seconds')}</TimeText>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr className="file-detail-row">
          <td colSpan={7}>
            <FileDetail path={file.path} {...rest} />
          </td>
        </tr>
      )}
    </>
  )
}

function Count({ count, isMain = false }: { count: number; isMain?: boolean }) {
  return <td className={isMain && count > 0 ? 'num main' : 'num'}>{count > 0 ? formatCount(count) : ''}</td>
}

/** Net where the contents are recorded; else the sum of what every edit says, and that it is no more. */
function NetLines({ file: { net, recorded } }: { file: TouchedFile }) {
  if (net !== null) return <LineChangeFigure {...net} />
  if (recorded === null) return null
  return (
    <span title="All edits added up: whole contents are not recorded, or the edits were taken back">
      <span className="dim">sum </span>
      <LineChangeFigure {...recorded} />
    </span>
  )
}
