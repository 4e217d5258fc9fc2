/** Diagonal lines over a colour. */
export function HatchPattern({ id }: { id: string }) {
  return (
    <pattern
      id={id}
      className="hatch"
      width="4"
      height="4"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <path d="M0 0V4" />
    </pattern>
  )
}
