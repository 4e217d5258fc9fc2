/** Without the exact moment in words: there are thousands, and the head names the zone. */
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
    <time dateTime={time} className={className}>
      {children}
    </time>
  )
}
