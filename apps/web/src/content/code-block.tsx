import './code.css'
import { classNames } from '../lib/browser.ts'
import { formatSize } from '../lib/figures.ts'
import { CopyButton } from '../ui/buttons/button.tsx'
import { ScrollRegion } from '../ui/scroll-region.tsx'
import { useHighlight } from './highlight.ts'
import { LazyBlocks } from './lazy-blocks.tsx'
import { MachineText } from './machine-text.tsx'

/** A fenced code block: language, copy button, highlighted code. */
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

interface Props {
  code: string
  language: string | null
  label: string
  /** Number of the first line; without it lines are not numbered. */
  firstLine?: number
}

const LINE_HEIGHT_PX = 20

/** Code, highlighted once the grammar is loaded; plain before, and while search words are marked. */
export function CodeLines({ code, language, label, firstLine }: Props) {
  const lines = useHighlight(code, language)
  const isNumbered = firstLine !== undefined
  return (
    <ScrollRegion label={label} className={classNames('code-lines', isNumbered && 'numbered')}>
      <pre dir="ltr">
        <LazyBlocks items={lines} as="span" rowHeightPx={LINE_HEIGHT_PX}>
          {(block, start) =>
            block.map((line, index) => (
              <code key={line.start}>
                {isNumbered && <span className="line-number" data-line={firstLine + start + index} />}
                {line.tokens.map((token) =>
                  token.role === null ? (
                    <MachineText key={token.start} text={token.text} />
                  ) : (
                    <span key={token.start} className={`code-${token.role}`}>
                      <MachineText text={token.text} />
                    </span>
                  ),
                )}
                {'\n'}
              </code>
            ))
          }
        </LazyBlocks>
      </pre>
    </ScrollRegion>
  )
}
