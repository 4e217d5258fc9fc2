import { levelLimits } from './cell-levels.ts'
import { CellMark } from './cell-mark.tsx'

/** What the sizes of marks mean. */
export function CellScale({ highest, write }: { highest: number; write: (value: number) => string }) {
  return (
    <ul className="cell-scale" aria-label="Scale">
      {levelLimits(highest).map(({ level, most }) => (
        <li key={level}>
          <span className="cell">
            <CellMark level={level} />
          </span>
          {level === 1 ? 'up to ' : ''}
          {write(most)}
        </li>
      ))}
    </ul>
  )
}
