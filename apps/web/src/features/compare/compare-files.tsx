import type { Comparison } from '@gemini-dash/api'
import type { TouchedFile } from 'gemini-sessions'
import { MachineText } from '../../content/text/machine-text.tsx'
import { formatCount } from '../../lib/figures/format.ts'
import { LineChangeFigure } from '../../ui/figures/line-change.tsx'
import { CompareTable } from './compare-table.tsx'
import { isChanged } from './to-figure-rows.ts'

/** Which files each session touched: what it changed of them, else that it looked. */
export function CompareFiles({ comparison: { files } }: { comparison: Comparison }) {
  const both = files.filter(({ a, b }) => a !== null && b !== null).length
  return (
    <CompareTable
      title="Files touched"
      note={`${formatCount(both)} by both, changed ones first`}
      none="neither touched one"
      rows={files}
      name={({ name, a, b }) => (
        <span className="mono" title={(a ?? b)?.path}>
          <MachineText text={name === '.' ? './' : name} />
        </span>
      )}
      cell={(row, side) => <Touched file={row[side]} />}
    />
  )
}

function Touched({ file }: { file: TouchedFile | null }) {
  if (file === null) return <span className="dim">-</span>
  const change = file.net ?? file.recorded
  if (isChanged(file)) return change === null ? 'changed' : <LineChangeFigure {...change} />
  if (file.reads > 0) return 'read'
  return <span className="dim">{file.failed > 0 ? 'failed' : 'searched'}</span>
}
