import { register } from 'tsx/esm/api'

// `--import tsx` does not reach worker threads on Node 20: this registers the loader inside the thread, then runs
// the worker named in the query from its source.
register()
await import(new URL(new URL(import.meta.url).searchParams.get('run'), import.meta.url).href)
