import '../../ui/frames/panel.css'
import type { Comparison } from '@gemini-dash/api'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { toFigureRows } from './to-figure-rows.ts'

/** The totals side by side. More is neither good nor bad, so nothing is coloured. */
export function CompareFigures({ comparison }: { comparison: Comparison }) {
  return (
    <section className="panel" aria-label="Figures">
      <header className="panel-head">
        <h2>Figures</h2>
        <p>each session’s own, with calls that were taken back later</p>
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
