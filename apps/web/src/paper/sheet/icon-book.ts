import type { LucideIcon } from 'lucide-react'

/** The icons that were drawn, by number: each stands once in a document, and wherever it is meant a mark leads there. */
export const iconBook: LucideIcon[] = []

export function iconId(number: number): string {
  return `i${number}`
}
