import type { Doctor } from '@gemini-dash/api'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatPlural, formatSize } from '../../lib/figures/format.ts'
import { FindingGroup } from './finding-group.tsx'
import { FindingList } from './finding-list.tsx'

/** Where was looked, and where the index is kept. */
export function Places({ homes, cache }: Pick<Doctor, 'homes' | 'cache'>) {
  return (
    <FindingGroup title="Where it looked">
      <FindingList items={homes} keyOf={({ path }) => path}>
        {({ path, exists, files, note, antigravity }) => (
          <>
            <div className="finding-head">
              <p className="mono" dir="ltr">
                <MachineText text={path} />
              </p>
              <span className="tabular">{exists ? formatPlural(files, 'file') : 'not there'}</span>
            </div>
            {note !== null && <p className="advice">{note}</p>}
            {antigravity && <p className="advice">{antigravity.text}</p>}
          </>
        )}
      </FindingList>
      <div className="finding">
        <div className="finding-head">
          {cache.path === null ? (
            <p>The index is kept in memory; nothing is written.</p>
          ) : (
            <p>
              The index, which can be deleted at any time:{' '}
              <span className="mono" dir="ltr">
                <MachineText text={cache.path} />
              </span>
            </p>
          )}
          {cache.path !== null && <span className="tabular">{formatSize(cache.sizeBytes)}</span>}
        </div>
      </div>
    </FindingGroup>
  )
}
