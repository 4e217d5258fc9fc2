interface Props {
  /** Spent of the budget; beyond 1 it is passed. */
  share: number
  elapsed: number
  isWarning: boolean
}

/** How full a budget is, with a line where the month is. Decoration for the figures above it. */
export function BudgetBar({ share, elapsed, isWarning }: Props) {
  return (
    <svg className="budget-bar" aria-hidden="true">
      <rect className="budget-whole" width="100%" height="100%" />
      <rect
        className={isWarning ? 'budget-spent warning' : 'budget-spent'}
        width={percent(Math.min(share, 1))}
        height="100%"
      />
      <line className="budget-now" x1={percent(elapsed)} x2={percent(elapsed)} y1="0" y2="100%" />
    </svg>
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}
