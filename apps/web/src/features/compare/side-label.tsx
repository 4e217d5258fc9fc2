/** Which of the two it is; words for who hears it. */
export function SideLabel({ side }: { side: 'a' | 'b' }) {
  return (
    <span className="compare-side">
      <span className="visually-hidden">Session </span>
      {side.toUpperCase()}
    </span>
  )
}
