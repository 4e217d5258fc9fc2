// before the styles of any part: the first that is loaded declares the order of the layers
import '../src/styles/index.css'
import { beforeEach } from 'vitest'
import { cleanup } from 'vitest-browser-react'

// Files share their modules: the library's own clean-up runs in the first one alone, and a dialog left open covers the next test.
beforeEach(() => cleanup())
