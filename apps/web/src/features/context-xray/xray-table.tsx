import type { ContextXray } from 'gemini-sessions'
import { useState } from 'react'
import { SupersededWord } from '../../content/text/superseded-word.tsx'
import { formatCount } from '../../lib/figures/format.ts'
import { isTakenBack } from '../../lib/session/is-taken-back.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ToMessage } from '../../ui/controls/to-message.tsx'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import type { XraySeries } from './xray-series.ts'

const PAGE_ROWS = 200

interface Props {
  sessionRef: string
  xray: ContextXray
  series: readonly XraySeries[]
}

/** The drawing in figures. */
export function XrayTable({ sessionRef, xray, series }: Props) {
  const [shown, setShown] = useState(PAGE_ROWS)
  const { calls } = xray
  return (
    <ScrollRegion label="What filled each prompt, table" className="xray-table">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Turn</th>
            {['Input', 'From the cache', ...series.map(({ name }) => name)].map((name) => (
              <th key={name} scope="col" className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {calls.slice(0, shown).map(({ messageKey, turn, input, cached, superseded, tokens }, index) => (
            <tr key={messageKey} className={isTakenBack(superseded) ? 'dim' : undefined}>
              <th scope="row">
                <ToMessage sessionRef={sessionRef} messageKey={messageKey} call={null}>
                  {formatCount(index + 1)}
                </ToMessage>
                {superseded !== null && (
                  <>
                    {' '}
                    <SupersededWord cause={superseded} />
                  </>
                )}
              </th>
              <td>{turn}</td>
              <td className="num main">{formatCount(input)}</td>
              <td className="num">{formatCount(cached)}</td>
              {series.map(({ tone, blocks }) => (
                <td key={tone} className="num">
                  {figure(blocks.reduce((sum, block) => sum + (tokens[block] ?? 0), 0))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown < calls.length && (
        <Button look="quiet" onClick={() => setShown(shown + PAGE_ROWS)}>
          Show {Math.min(PAGE_ROWS, calls.length - shown)} more calls
        </Button>
      )}
    </ScrollRegion>
  )
}

function figure(tokens: number): string {
  return tokens === 0 ? '-' : formatCount(tokens)
}
