/** Names of the columns. Rows carry the same figures in words for screen readers, so that this stays out of their way. */
export function ColumnHeads() {
  return (
    <div className="session-columns" aria-hidden="true">
      <span>Session</span>
      <span className="project">Project</span>
      <span className="roomy-only">Model</span>
      <span>Trace</span>
      <span className="num roomy-only">Turns</span>
      <span className="num roomy-only">Tools</span>
      <span className="num">Failed</span>
      <span className="num">Tokens</span>
      <span className="num">Cost</span>
      <span className="num">Active</span>
    </div>
  )
}
