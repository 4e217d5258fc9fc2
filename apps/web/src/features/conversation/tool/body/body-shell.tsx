import type { ToolCall, ToolOutput } from 'gemini-sessions'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { CopyButton } from '../../../../ui/buttons/copy-button.tsx'
import { type ShellResult, shellResult } from '../call/shell-result.ts'
import { textArgument } from '../call/tool-argument.ts'
import { OutputBody } from '../output/output-body.tsx'

/** A command, where it ran, what it printed, and how it ended where that needs words. */
export function BodyShell({ id, call }: { id: string; call: ToolCall }) {
  const command = textArgument(call, 'command')
  const result = shellResult(call)
  const facts = factsOf(call, result)
  const output = printedOutput(call, result)
  const hasEnded = call.status === 'success' && result.ending === null
  const isPrinted = output !== null && output !== call.output && output !== call.display
  const readWhole = isPrinted ? (text: string) => printedOf(call, text) : undefined
  return (
    <>
      {command !== '' && (
        <div className="call-command">
          <pre className="command-line" dir="ltr">
            <MachineText text={command} />
          </pre>
          <CopyButton text={command} label="Copy" />
        </div>
      )}
      {facts.length > 0 && (
        <ul className="call-facts">
          {facts.map((fact) => (
            <li key={fact}>
              <MachineText text={fact} />
            </li>
          ))}
        </ul>
      )}
      {output === null ? (
        <p className="output-remark in-terminal">
          {hasEnded ? 'It printed nothing.' : 'No output was recorded.'}
        </p>
      ) : (
        <OutputBody id={id} call={call} output={output} readWhole={readWhole} />
      )}
    </>
  )
}

function printedOf(call: ToolCall, text: string): string {
  return shellResult({ ...call, output: { kind: 'text', text } }).printed
}

/** The screen as the CLI drew it, else what the model's text says was printed; null for nothing. */
function printedOutput(call: ToolCall, { printed, ending }: ShellResult): ToolOutput | null {
  const { display, output } = call
  if (display?.kind === 'ansi') return display.lines.some((line) => line.length > 0) ? display : null
  if (display !== null && 'text' in display && display.text.trim() !== '' && !isNotice(display.text))
    return display
  if (ending !== null || output.kind !== 'text')
    return output.kind === 'error' ? output : printedText(printed, output)
  // a text in no known form is shown as it is
  const isKnown = /(?:^|\n)(?:Output|Stdout): /.test(output.text.slice(0, 4_000))
  return isKnown ? printedText(printed, output) : output
}

function printedText(printed: string, output: ToolOutput): ToolOutput | null {
  if (printed === '') return null
  return output.kind === 'text' ? { ...output, text: printed } : { kind: 'text', text: printed }
}

/** What the CLI wrote instead of an output; the facts say the same. */
function isNotice(text: string): boolean {
  return /^Command (?:moved to background|terminated by signal|exited with code|was automatically cancelled|cancelled by user)[^\n]*$/.test(
    text.trim(),
  )
}

function factsOf(
  call: ToolCall,
  { directory, error, signal, backgroundPids, ending }: ShellResult,
): string[] {
  const purpose = textArgument(call, 'description')
  const facts = [
    purpose,
    directory === '' ? '' : `In ${directory}`,
    ending === 'background' ? 'Went on in the background' : '',
    ending === 'timeout' ? 'Stopped by Gemini CLI, as nothing was printed for too long' : '',
    ending === 'cancelled' ? 'Stopped before it ended' : '',
    signal === '' ? '' : `Ended by signal ${signal}`,
    backgroundPids === '' ? '' : `Left running: process ${backgroundPids}`,
    error,
  ]
  return facts.filter((fact) => fact !== '')
}
