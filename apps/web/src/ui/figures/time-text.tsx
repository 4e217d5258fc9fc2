import { formatMoment } from '../../lib/figures/format.ts'

/** A time in a short form, with the exact moment and its zone in the title. */
export function TimeText({
  time,
  children,
  className,
}: {
  time: string
  children: string
  className?: string
}) {
  return (
    <time dateTime={time} title={formatMoment(time)} className={className}>
      {children}
    </time>
  )
}
