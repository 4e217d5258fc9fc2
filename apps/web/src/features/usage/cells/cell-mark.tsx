/** A square whose size says how much; nothing at all for nothing. */
export function CellMark({ level }: { level: number }) {
  return level > 0 && <span className={`cell-mark level-${level}`} />
}
