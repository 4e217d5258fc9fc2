import './share-bar.css'

/** `share` of the largest row, 0 to 1; `failedShare` of the bar itself. Decoration for the figures beside it. */
export function ShareBar({ share, failedShare }: { share: number; failedShare?: number }) {
  const failed = share * (failedShare ?? 0)
  return (
    <svg className="share-bar" aria-hidden="true">
      <rect
        className={failedShare === undefined ? 'whole' : 'quiet'}
        width={percent(Math.max(share, 0.01))}
        height="100%"
      />
      {failed > 0 && <rect className="failed" width={percent(Math.max(failed, 0.006))} height="100%" />}
    </svg>
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}
