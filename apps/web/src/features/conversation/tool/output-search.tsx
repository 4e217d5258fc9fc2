import './output-search.css'
import type { ToolOutput } from 'gemini-sessions'
import { useMemo } from 'react'
import { MachineText } from '../../../content/machine-text.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { useOpen } from '../open-store.ts'
import { groupMatches } from './group-matches.ts'
import { MatchPattern } from './match-pattern.tsx'
import { OutputFooter } from './output-footer.tsx'
import { useWholeOutput } from './use-whole-output.ts'

const FIRST_MATCHES = 40
const MAX_MATCHES = 5_000

interface Props {
  id: string
  output: Extract<ToolOutput, { kind: 'search' }>
  /** What was searched for; marked in the lines where it can be. */
  pattern: string
}

/** What a search found, by file. */
export function OutputSearch({ id, output: carried, pattern }: Props) {
  const [isAll, setAll] = useOpen(`${id}/all`)
  const { output, state } = useWholeOutput(carried, isAll)
  const shown = output.matches.slice(0, isAll ? MAX_MATCHES : FIRST_MATCHES)
  const groups = useMemo(() => groupMatches(shown), [shown])
  const text = output.matches
    .map((match) => `${match.filePath}:${match.lineNumber ?? ''}:${match.line}`)
    .join('\n')
  const isCut = output.cut !== undefined
  return (
    <div className="output">
      {output.summary !== '' && (
        <p className="output-remark" dir="auto">
          {output.summary}
        </p>
      )}
      <ScrollRegion label="Matches" className="matches">
        {groups.map((group) => (
          <div key={group.filePath} dir="ltr">
            <b>
              <MachineText text={group.filePath} />
            </b>
            {group.lines.map((line) => (
              <div key={line.key} className={classNames('match', line.isContext && 'context')}>
                <span className="match-number">{line.lineNumber}</span>
                <span className="match-line">
                  {line.isContext ? (
                    <MachineText text={line.line} />
                  ) : (
                    <MatchPattern text={line.line} pattern={pattern} />
                  )}
                </span>
              </div>
            ))}
          </div>
        ))}
      </ScrollRegion>
      {(shown.length < output.matches.length || isCut) && (
        <OutputFooter
          shown={shown.length}
          total={isCut ? null : output.matches.length}
          sizeBytes={output.cut?.sizeBytes ?? text.length}
          unit={['line', 'lines']}
          onShowMore={isAll ? null : () => setAll(true)}
          state={state}
          copyText={text}
        />
      )}
    </div>
  )
}
