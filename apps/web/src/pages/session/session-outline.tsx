import type { SessionDetail } from '@gemini-dash/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reasoningQuery } from '../../api/session/reasoning.ts'
import { Outline } from '../../features/outline/outline.tsx'
import { ReasoningOutline } from '../../features/reasoning/reasoning-outline.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Failed } from '../../ui/states/failed.tsx'

interface Props {
  sessionRef: string
  detail: SessionDetail
  /** Offset of the message that is being read. */
  place: number
  onJump: (messageKey: string, offset: number) => void
  onOpenThoughts: (messageKeys: string[], isOpen: boolean) => void
}

const VIEWS = [
  { value: 'turns', label: 'Turns' },
  { value: 'thoughts', label: 'Thoughts' },
] as const

/** The session in short: by what was asked, or by what the model thought. */
export function SessionOutline({ sessionRef, detail, place, onJump, onOpenThoughts }: Props) {
  const { outline, compressions, resumedKeys } = detail
  const [view, setView] = useState<'turns' | 'thoughts'>('turns')
  const hasThoughts = outline.some(({ thoughts }) => thoughts > 0)
  const turn = outline.findLast(({ firstOffset }) => firstOffset <= place)
  return (
    <>
      {hasThoughts && (
        <div className="outline-views">
          <Segmented label="Outline of" value={view} options={VIEWS} onChange={setView} />
        </div>
      )}
      {view === 'turns' ? (
        <Outline
          turns={outline}
          compressions={compressions}
          resumedKeys={resumedKeys}
          current={turn?.number ?? 0}
          onJump={onJump}
        />
      ) : (
        <Thoughts {...{ sessionRef, detail, place, onJump, onOpenThoughts }} />
      )}
    </>
  )
}

function Thoughts({ sessionRef, detail, place, onJump, onOpenThoughts }: Props) {
  const { data: reasoning, error, refetch } = useQuery(reasoningQuery(sessionRef))
  if (reasoning !== undefined)
    return (
      <ReasoningOutline
        reasoning={reasoning}
        turns={detail.outline}
        place={place}
        onJump={onJump}
        onOpenThoughts={onOpenThoughts}
      />
    )
  if (error === null) return <p className="reasoning-none">Reading the thoughts …</p>
  return <Failed what="The thoughts could not be read." error={error} onRetry={() => void refetch()} />
}
