import './body-words.css'
import type { ToolCall } from 'gemini-sessions'
import { useId } from 'react'
import { SafeLink } from '../../../../content/markdown/safe-link.tsx'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { MarkedText } from '../../../../content/text/marked-text.tsx'
import { textArgument } from '../call/tool-argument.ts'
import { OutputBody } from '../output/output-body.tsx'
import { OutputMarkdown } from '../output/output-markdown.tsx'
import { linkCitations } from '../results/link-citations.ts'
import { askedAddresses, type WebSource, webResult } from '../results/web-result.ts'

/** What the web said, and from where. Nothing is ever loaded. */
export function BodyWeb({ id, call }: { id: string; call: ToolCall }) {
  const { output } = call
  const anchor = `source-${useId().replace(/\W/g, '')}-`
  const asked = textArgument(call, 'prompt')
  const { text, sources } = webResult(output.kind === 'text' ? output.text : '')
  const cited = (words: string) =>
    linkCitations(
      words,
      sources.map(({ number }) => number),
      (number) => `#${anchor}${number}`,
    )
  const addresses = askedAddresses(asked || textArgument(call, 'url'))
  return (
    <>
      {asked !== '' && (
        <p className="asked" dir="auto">
          <MarkedText text={asked} />
        </p>
      )}
      {output.kind === 'text' ? (
        <OutputMarkdown
          id={id}
          output={{ ...output, text }}
          readWhole={(whole) => webResult(whole).text}
          asDrawn={cited}
        />
      ) : (
        call.status !== 'error' && <OutputBody id={id} call={call} output={call.display ?? output} />
      )}
      {sources.length > 0 ? (
        <Sources sources={sources} anchor={anchor} />
      ) : (
        addresses.length > 0 && (
          <Sources
            sources={addresses.map((url, index) => ({ number: index + 1, title: '', url }))}
            anchor={anchor}
          />
        )
      )}
    </>
  )
}

function Sources({ sources, anchor }: { sources: WebSource[]; anchor: string }) {
  return (
    <ol className="sources" aria-label="Sources">
      {sources.map((source) => (
        <li key={source.number} id={`${anchor}${source.number}`}>
          <span className="source-number">{source.number}</span>
          <Source source={source} />
        </li>
      ))}
    </ol>
  )
}

function Source({ source: { title, url } }: { source: WebSource }) {
  if (url === null)
    return (
      <span dir="auto">
        <MarkedText text={title} /> <span className="dim">no address recorded</span>
      </span>
    )
  const host = hostOf(url)
  return (
    <span className="source-words" dir="auto">
      <SafeLink href={url}>
        <MarkedText text={title || url} />
      </SafeLink>
      {host !== '' && host !== title && (
        <span className="dim">
          {' '}
          <MachineText text={host} />
        </span>
      )}
    </span>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
