/** What a band of the chart shows, beside it. */
export function BandName({ y, children }: { y: number; children: string }) {
  return (
    <text x="12" y={y} transform={`rotate(-90 12 ${y})`} textAnchor="middle" dominantBaseline="middle">
      {children}
    </text>
  )
}
