import '../../ui/frames/panel.css'
import type { Comparison } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import { Link } from '@tanstack/react-router'
import type { TouchedFile } from 'gemini-sessions'
import { MachineText } from '../../content/text/machine-text.tsx'
import { toolFilter } from '../../lib/address/find-search.ts'
import { formatCount } from '../../lib/figures/format.ts'
import { LineChangeFigure } from '../../ui/figures/line-change.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { CompareTable } from './compare-table.tsx'
import { isChanged, toFigureRows } from './to-figure-rows.ts'

/** The totals side by side. More is neither good nor bad, so nothing is coloured. */
export function CompareFigures({ comparison }: { comparison: Comparison }) {
  return (
    <section className="panel" aria-label="Figures">
      <header className="panel-head">
        <h2>Figures</h2>
        <p>sub-agents included, and requests that were rewound later</p>
      </header>
      <ScrollRegion label="Figures of both sessions">
        <table className="data-table compare-figures">
          <thead>
            <tr>
              <th scope="col">Figure</th>
              <th scope="col" className="num">
                A
              </th>
              <th scope="col" className="num">
                B
              </th>
              <th scope="col" className="num">
                B − A
              </th>
            </tr>
          </thead>
          <tbody>
            {toFigureRows(comparison).map(({ label, a, b, difference }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td className="num main">{a}</td>
                <td className="num main">{b}</td>
                <td className={difference === null || difference === 'same' ? 'num none' : 'num'}>
                  {difference ?? '-'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}

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

/** How often each session and its sub-agents called which tool, and how often that failed. */
export function CompareTools({ comparison }: { comparison: Comparison }) {
  const { tools } = comparison
  return (
    <CompareTable
      title="Tools"
      note="calls, the busiest first"
      none="neither called one"
      rows={tools}
      name={({ name }) => <span title={name}>{toolLabel(name)}</span>}
      cell={(row, side) => (
        <Calls tool={row.name} figures={row[side]} sessionId={comparison[side].session.sessionId} />
      )}
    />
  )
}

interface CallsProps {
  tool: string
  figures: Comparison['tools'][number]['a']
  sessionId: string
}

function Calls({ tool, figures, sessionId }: CallsProps) {
  if (figures === null) return <span className="dim">-</span>
  const { calls, errors, withSubagents } = figures
  const failed = `${formatCount(withSubagents.errors)} failed`
  return (
    <>
      {errors > 0 ? (
        <Link
          to="/search"
          search={{ q: `${toolFilter(tool)} is:error session:${sessionId}` }}
          className="compare-failed failure-link"
          title={errors < withSubagents.errors ? `of which own: ${formatCount(errors)}` : undefined}
        >
          {failed}
        </Link>
      ) : (
        withSubagents.errors > 0 && <span className="compare-failed">{failed}</span>
      )}
      <span title={calls < withSubagents.calls ? `of which own: ${formatCount(calls)}` : undefined}>
        {formatCount(withSubagents.calls)}
      </span>
    </>
  )
}
