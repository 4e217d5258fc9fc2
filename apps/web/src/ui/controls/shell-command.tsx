import '../states/message-page.css'
import { CopyButton } from '../buttons/copy-button.tsx'

/** A command to be typed into a terminal. */
export function ShellCommand({ line }: { line: string }) {
  return (
    <div className="command">
      <code>{line}</code>
      <CopyButton text={line} />
    </div>
  )
}
