import { neighbourHref } from '../../content/neighbours/neighbour-context.ts'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatDateTime, formatSize } from '../../lib/figures/format.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { TimeText } from '../../ui/figures/time-text.tsx'
import type { FileRow } from './file-rows.ts'

interface Props {
  sessionRef: string
  rows: readonly FileRow[]
  onJump: (messageKey: string, offset: number | null) => void
}

/** Files with kind, size and time, each to be saved; what is gone says so. */
export function FileList({ sessionRef, rows, onJump }: Props) {
  return (
    <ul className="beside-list" aria-label="Other files">
      {rows.map((row) => (
        <li key={row.key}>
          <span className="beside-kind">{row.kind}</span>
          <span className="beside-name">
            <span className="mono" dir="ltr">
              <MachineText text={row.name} />
            </span>
            {row.remark !== '' && (
              <span className="beside-remark" dir="auto">
                <MachineText text={row.remark} />
              </span>
            )}
            {row.isShared && <span className="beside-remark">of the project, not of one session</span>}
          </span>
          {row.file === null ? (
            <span className="beside-remark">no longer there</span>
          ) : (
            <span className="beside-remark">
              {formatSize(row.file.sizeBytes)}{' '}
              {row.time === null ? (
                <>
                  file of{' '}
                  <TimeText time={row.file.modifiedTime}>{formatDateTime(row.file.modifiedTime)}</TimeText>
                </>
              ) : (
                <TimeText time={row.time}>{formatDateTime(row.time)}</TimeText>
              )}
            </span>
          )}
          <span className="beside-actions">
            <ShowButton messageKey={row.messageKey} onJump={onJump} />
            {row.file !== null && (
              <a className="button quiet tiny" href={neighbourHref(sessionRef, row.file)} download>
                Save
              </a>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function ShowButton({ messageKey, onJump }: Pick<FileRow, 'messageKey'> & Pick<Props, 'onJump'>) {
  if (messageKey === null) return null
  return (
    <Button look="quiet" size="tiny" onClick={() => onJump(messageKey, null)}>
      Show
    </Button>
  )
}
