const noChoice = () => undefined

/** Whether a part is open on paper: what would be cut off for the page's sake is shown whole. */
export function useOpen(id: string, opensAtFirst = false): [isOpen: boolean, setOpen: () => void] {
  return [opensAtFirst || id.endsWith('/all'), noChoice]
}
