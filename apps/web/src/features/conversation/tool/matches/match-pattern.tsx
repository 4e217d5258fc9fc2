import { useContext, useMemo } from 'react'
import { HitContext } from '../../../../content/text/hit-context.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { patternWords } from './pattern-words.ts'

/** A found line with what was searched for marked. */
export function MatchPattern({ text, pattern }: { text: string; pattern: string }) {
  const terms = useContext(HitContext)
  const marked = useMemo(() => [...terms, ...patternWords(pattern)], [terms, pattern])
  return (
    <HitContext value={marked}>
      <MachineText text={text} />
    </HitContext>
  )
}
