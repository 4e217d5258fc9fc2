export function SearchPage() {
  return <main id="main" tabIndex={-1} />
}
