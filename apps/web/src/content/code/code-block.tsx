import './code.css'
import { formatSize } from '../../lib/figures/format.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import { CodeLines } from './code-lines.tsx'

/** A fenced block of an answer: language, Copy, highlighted code. */
export function CodeBlock({ code, language }: { code: string; language: string | null }) {
  const label = language ?? 'text'
  return (
    <div className="code-block" dir="ltr">
      <header>
        <span>{label}</span>
        {code.length > 20_000 && <span>{formatSize(code.length)}</span>}
        <CopyButton text={code} />
      </header>
      <CodeLines code={code} language={language} label={`Code, ${label}`} />
    </div>
  )
}
