import type { TokenRecord } from '@gemini-dash/api'
import { formatCount, formatPlural } from '../../lib/figures/format.ts'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { fileName, recordPlace } from './explain-words.ts'

interface Props {
  records: readonly TokenRecord[]
  rawHref: string
}

/** The rows of the files that the figures of a call stand in: which of them counts, and the way to the raw one. */
export function ExplainRecords({ records, rawHref }: Props) {
  const files = [...new Set(records.map(({ file }) => file))]
  return (
    <section className="explain-rate">
      <h3>Records</h3>
      {records.length > 1 && (
        <p className="dim">
          It stands {formatPlural(records.length, 'time')} in the session’s files. It is one call: the last
          tokens above 0 count, the others are in no sum.
        </p>
      )}
      {records.length > 0 && (
        <ScrollRegion label="Records of this call">
          <table className="explain-parts">
            <thead>
              <tr>
                <th scope="col">Place</th>
                <th scope="col" className="num">
                  Input
                </th>
                <th scope="col" className="num">
                  Cached
                </th>
                <th scope="col" className="num">
                  Output
                </th>
                <th scope="col" className="num">
                  Thoughts
                </th>
              </tr>
            </thead>
            <tbody>
              {records.map(({ file, line, index, usage, isCounted }) => (
                <tr key={`${file} ${line} ${index}`} className={isCounted ? undefined : 'dim'}>
                  <th scope="row" title={file}>
                    {recordPlace({ line, index })}
                    {records.length > 1 && isCounted && <b>, counts</b>}
                    {files.length > 1 && <small>{fileName(file)}</small>}
                  </th>
                  <td className="num">{formatCount(usage.input)}</td>
                  <td className="num">{formatCount(usage.cached)}</td>
                  <td className="num">{formatCount(usage.output)}</td>
                  <td className="num">{formatCount(usage.thoughts)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      <p className="explain-file">
        {files.length === 1 && <span>{fileName(files[0] ?? '')}</span>}
        <a className="link" href={rawHref} target="_blank" rel="noreferrer">
          Raw record
        </a>
      </p>
    </section>
  )
}
