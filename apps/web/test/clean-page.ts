// before any component's styles: the first style sheet declares the order of the layers
import '../src/styles/index.css'
import { beforeEach } from 'vitest'
import { cleanup } from 'vitest-browser-react'

// Files share modules: the library's own cleanup runs only in the first one, and an open dialog would cover the next test.
beforeEach(() => cleanup())
