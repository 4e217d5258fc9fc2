import { describeHourKey } from '../figures/hours.ts'
import { LIST_KINDS, LIST_ORDERS, type ListSearch, TIME_RANGES } from './list-search.ts'
import { choiceParam, dayParam, type RawSearch, textParam } from './search-params.ts'

export function readListSearch(search: RawSearch): ListSearch {
  return {
    q: textParam(search, 'q'),
    range: choiceParam(search, 'range', TIME_RANGES),
    from: dayParam(search, 'from'),
    to: dayParam(search, 'to'),
    hour: hourParam(search),
    model: textParam(search, 'model'),
    has: choiceParam(search, 'has', ['errors', 'live']),
    deleted: choiceParam(search, 'deleted', ['only', 'exclude']),
    starred: choiceParam(search, 'starred', ['yes']),
    tag: textParam(search, 'tag'),
    kind: choiceParam(search, 'kind', LIST_KINDS),
    parent: textParam(search, 'parent'),
    home: textParam(search, 'home'),
    sort: choiceParam(search, 'sort', LIST_ORDERS),
    tables: choiceParam(search, 'tables', ['days']),
  }
}

function hourParam(search: RawSearch): string | undefined {
  const hour = textParam(search, 'hour')
  return hour !== undefined && describeHourKey(hour) !== undefined ? hour : undefined
}
