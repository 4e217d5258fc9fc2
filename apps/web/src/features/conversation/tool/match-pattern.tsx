import { useContext } from 'react'
import { HitContext } from '../../../content/hit-context.ts'
import { MachineText } from '../../../content/machine-text.tsx'

/** A found line with what was searched for marked. The pattern is taken word for word: one from a log is never run. */
export function MatchPattern({ text, pattern }: { text: string; pattern: string }) {
  const terms = useContext(HitContext)
  const literal = pattern.replace(/^["']|["']$/g, '').replace(/\\([^\w\s])/g, '$1')
  return (
    <HitContext value={literal === '' ? terms : [...terms, literal]}>
      <MachineText text={text} />
    </HitContext>
  )
}
