import '../content.css'
import { MarkedText } from './marked-text.tsx'
import { visibleControls } from './visible-controls.ts'

/** Commands, paths and code: invisible characters are shown by their names. */
export function MachineText({ text }: { text: string }) {
  return visibleControls(text).map((run) =>
    run.control === null ? (
      <MarkedText key={run.start} text={run.text} />
    ) : (
      <span key={run.start} className="control-mark" title={`Invisible character ${run.control}`}>
        {run.control}
      </span>
    ),
  )
}
