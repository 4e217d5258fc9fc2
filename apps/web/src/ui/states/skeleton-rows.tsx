import './load-state.css'
import { useDelayed } from '../../lib/hooks/use-delayed.ts'

const DELAY_MS = 150

/** Grey rows in the size of what is coming; nothing at all before 150 ms. */
export function SkeletonRows({ count, label }: { count: number; label: string }) {
  const isDue = useDelayed(true, DELAY_MS)
  if (!isDue) return <div hidden aria-busy="true" />
  return (
    <div className="skeleton-rows sheet" role="status" aria-label={label} aria-busy="true">
      {Array.from({ length: count }, (_, row) => `row ${row}`).map((key) => (
        <div key={key} className="skeleton-row">
          <span className="skeleton" />
        </div>
      ))}
    </div>
  )
}
