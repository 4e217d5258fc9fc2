import './doctor.css'
import type { ReactNode } from 'react'
import { formatCount } from '../../lib/figures/format.ts'
import { Disclosure } from '../../ui/controls/disclosure.tsx'

/** More than these are folded away. */
const FIRST = 20
/** A page with more rows than these helps nobody; `gemini-dash doctor --json` has them all. */
const MOST = 500

type Props<T> = { items: readonly T[]; keyOf: (item: T) => string; children: (item: T) => ReactNode }

/** Findings one under the other: the first twenty, the rest on demand. */
export function FindingList<T>({ items, keyOf, children }: Props<T>) {
  const rows = (part: readonly T[]) => (
    <ul>
      {part.map((item) => (
        <li key={keyOf(item)} className="finding">
          {children(item)}
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {rows(items.slice(0, FIRST))}
      {items.length > FIRST && (
        <Disclosure head={`${formatCount(items.length - FIRST)} more`} headClassName="more-findings">
          {() => (
            <>
              {rows(items.slice(FIRST, MOST))}
              {items.length > MOST && (
                <p className="finding">
                  {formatCount(items.length - MOST)} more are in the answer of gemini-dash doctor --json.
                </p>
              )}
            </>
          )}
        </Disclosure>
      )}
    </>
  )
}
