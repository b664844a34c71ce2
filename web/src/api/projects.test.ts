import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

it('all projects are listed, whatever number there are: page by page, until there is no next', async () => {
  const asked: string[] = []
  vi.stubGlobal('location', { href: 'https://sheaf.example/', origin: 'https://sheaf.example' })
  vi.stubGlobal('fetch', async (request: Request) => {
    const { searchParams } = new URL(request.url)
    const page = Number(searchParams.get('page'))
    asked.push(`${page} of ${searchParams.get('page_size')}, ${searchParams.get('owner') ?? 'all'}`)
    const link = page < 3 ? '<https://sheaf.example/>; rel="next"' : '<https://sheaf.example/>; rel="prev"'
    return Response.json([{ projectid: page }], { headers: { link } })
  })
  // The client reads the address of the page when it is loaded.
  vi.resetModules()
  const { listProjects, listProjectsOf } = await import('./projects')
  expect((await listProjects()).map(({ projectid }) => projectid)).toEqual([1, 2, 3])
  expect(await listProjectsOf('ana')).toHaveLength(3)
  expect(asked.slice(2)).toEqual(['3 of 1000, all', '1 of 1000, ana', '2 of 1000, ana', '3 of 1000, ana'])
})
