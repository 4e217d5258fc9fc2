/** The name of a figure for who hears it; others see it in the head of its column or beside it. */
export function Heard({ children }: { children: string }) {
  return <span className="visually-hidden"> {children}</span>
}
