import type { PaperSession } from '@gemini-dash/api'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { healthQuery } from '../../api/health.ts'
import { NeighbourContext } from '../../content/neighbours/neighbour-context.ts'
import { iconBook, iconId } from './icon-book.ts'

const clients = { withPrices: clientOf('list-price'), withoutPrices: clientOf('nothing') }

function clientOf(plan: string): QueryClient {
  const client = new QueryClient()
  client.setQueryData<unknown>(healthQuery().queryKey, { homes: [], prices: { plan } })
  return client
}

/** What parts of the page find around them: of all that a server says, only whether there are prices. */
export function Desk({
  session: { detail, hasPrices },
  children,
}: {
  session: PaperSession
  children: ReactNode
}) {
  const client = clients[hasPrices ? 'withPrices' : 'withoutPrices']
  const place = {
    sessionRef: '',
    root: detail.session.project.path,
    savedOutputs: [],
    images: [],
    plans: [],
    related: [],
  }
  return (
    <QueryClientProvider client={client}>
      <NeighbourContext value={place}>{children}</NeighbourContext>
    </QueryClientProvider>
  )
}

/** What stands below the conversation, and the drawings that marks in the document lead to. */
export function PaperFoot({ said }: { said: string }) {
  return (
    <>
      <p className="paper-foot">{said}</p>
      <PaperIcons />
    </>
  )
}

function PaperIcons() {
  return (
    <svg className="paper-icons" aria-hidden="true">
      {iconBook.map((Drawing, number) => (
        <symbol key={iconId(number)} id={iconId(number)} viewBox="0 0 24 24">
          <Drawing />
        </symbol>
      ))}
    </svg>
  )
}
