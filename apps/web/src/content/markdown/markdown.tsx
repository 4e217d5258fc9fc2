import '../content.css'
import './prose.css'
import { Circle, CircleCheck } from 'lucide-react'
import { memo, useContext, useId, useMemo } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { classNames } from '../../lib/browser/class-names.ts'
import { ScrollRegion } from '../../ui/frames/scroll-region.tsx'
import { Icon } from '../../ui/signs/icon.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import { HitContext, type HitTerm } from '../text/hit-context.ts'
import { codeOf } from './code-of.ts'
import { rehypeMarkHits } from './rehype-mark-hits.ts'
import { rehypeRawAsText } from './rehype-raw-as-text.ts'
import { rehypeShowControls } from './rehype-show-controls.ts'
import { RemoteImage } from './remote-image.tsx'
import { SafeLink } from './safe-link.tsx'

/** Recorded Markdown. Becomes elements, never HTML; raw HTML in it stays text. */
export const Markdown = memo(function Markdown({ text, isSmall }: { text: string; isSmall?: boolean }) {
  const terms = useContext(HitContext)
  const id = useId()
  const options = useMemo(() => optionsFor(id, terms), [id, terms])
  return (
    <div className={classNames('prose', isSmall && 'small')} dir="auto">
      <ReactMarkdown {...options}>{text}</ReactMarkdown>
    </div>
  )
})

// Ids come from footnotes alone, and those already carry a prefix of this message.
const schema = { ...defaultSchema, clobberPrefix: '' }

function optionsFor(id: string, terms: readonly HitTerm[]): Options {
  const marking = terms.length === 0 ? [] : [() => rehypeMarkHits(terms)]
  return {
    remarkPlugins: [remarkGfm],
    rehypePlugins: [rehypeRawAsText, [rehypeSanitize, schema], ...marking, rehypeShowControls],
    remarkRehypeOptions: { clobberPrefix: `note-${id.replace(/\W/g, '')}-`, footnoteLabelTagName: 'h6' },
    components,
  }
}

// Headings of an answer stand below the page's title and the turn's.
const components: Components = {
  h1: ({ children }) => <h4>{children}</h4>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <RemoteImage src={typeof src === 'string' ? src : undefined} alt={alt} />,
  pre: ({ node }) => <CodeBlock {...codeOf(node)} />,
  table: ({ children }) => (
    <ScrollRegion label="Table">
      <table>{children}</table>
    </ScrollRegion>
  ),
  input: ({ checked }) => (
    <span className="task-mark">
      <Icon of={checked ? CircleCheck : Circle} small />
      <span className="visually-hidden">{checked ? 'done:' : 'open:'}</span>
    </span>
  ),
}
