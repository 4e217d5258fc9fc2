import { useContext, useMemo } from 'react'
import { LazyBlocks } from '../../../../content/code/lazy-blocks.tsx'
import { HitContext } from '../../../../content/text/hit-context.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { classNames } from '../../../../lib/browser/class-names.ts'
import { formatCount } from '../../../../lib/figures/format.ts'
import { Disclosure } from '../../../../ui/controls/disclosure.tsx'
import { useOpen } from '../../open/open-store.ts'
import type { MatchGroup } from './group-matches.ts'
import { patternWords } from './pattern-words.ts'

interface Props {
  id: string
  name: string
  group: MatchGroup
  pattern: string
}

const LINE_HEIGHT_PX = 20

/** The lines that were found in one file. */
export function MatchedFile({ id, name, group, pattern }: Props) {
  const [isOpen, setOpen] = useOpen(id, true)
  const head = (
    <b>
      <MachineText text={name} />
    </b>
  )
  // a search for names alone has no lines
  if (group.lines.every(({ lineNumber, line }) => lineNumber === null && line === ''))
    return <div>{head}</div>
  return (
    <div dir="ltr">
      <Disclosure
        isOpen={isOpen}
        onToggle={setOpen}
        headClassName="matched-file"
        head={
          <>
            {head}
            <span className="file-tree-count">{formatCount(group.matchCount)}</span>
          </>
        }
      >
        {() => (
          <LazyBlocks items={group.lines} as="div" rowHeightPx={LINE_HEIGHT_PX}>
            {(lines) =>
              lines.map((line) => (
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
              ))
            }
          </LazyBlocks>
        )}
      </Disclosure>
    </div>
  )
}

/** A found line with what was searched for marked. */
function MatchPattern({ text, pattern }: { text: string; pattern: string }) {
  const terms = useContext(HitContext)
  const marked = useMemo(() => [...terms, ...patternWords(pattern)], [terms, pattern])
  return (
    <HitContext value={marked}>
      <MachineText text={text} />
    </HitContext>
  )
}
