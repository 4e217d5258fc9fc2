import './token-chart.css'

/** The classes by their colours; order as in the stack. */
export function ChartLegend({ hasTool }: { hasTool: boolean }) {
  return (
    <ul className="chart-legend">
      {hasTool && <Key name="tooluse">tool</Key>}
      <Key name="thoughts">thoughts</Key>
      <Key name="output">output</Key>
      <Key name="fresh">new input</Key>
      <Key name="cached">cached input</Key>
      <Key name="context">context</Key>
    </ul>
  )
}

function Key({ name, children }: { name: string; children: string }) {
  return (
    <li>
      <span className={`chart-key ${name}`} aria-hidden="true" />
      {children}
    </li>
  )
}
