import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { findHomes } from './scan/find-homes.ts'
import { surveyHomes } from './survey.ts'

it('D9: a folder named by a hash is named by the path of that hash which only a saved chat mentions', async () => {
  const home = fileURLToPath(new URL('../../../../fixtures/homes/0.20.2-compress', import.meta.url))
  const { projects } = await surveyHomes(findHomes({ homeArguments: [home], env: {}, userHome: '/nobody' }))
  expect(projects).toMatchObject([{ name: 'bookshop', path: '/tmp/demo/bookshop', pathSource: 'content' }])
})
