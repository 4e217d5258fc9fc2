import { useEffect } from 'react'

interface EndlessList {
  data: { pages: readonly unknown[] } | undefined
  isError: boolean
  isPlaceholderData: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** Has a list loaded as far as its address says: so far it was read before a reload, or by whoever sent the link. */
export function useShownPages(list: EndlessList, wanted = 1): void {
  const { data, isError, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const loaded = data?.pages.length ?? 0
  const isShort = loaded > 0 && loaded < wanted && hasNextPage
  useEffect(() => {
    if (isShort && !isError && !isPlaceholderData && !isFetchingNextPage) void fetchNextPage()
  }, [isShort, isError, isPlaceholderData, isFetchingNextPage, fetchNextPage])
}
