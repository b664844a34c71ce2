import { describe, expect, it } from 'vitest'
import { bodyOf, postsOf } from './posts'

const file = (name: string, size: number) => ({ name, blob: new Blob([new Uint8Array(size)]) })
const namesOf = (sizes: readonly number[], most: number) =>
  postsOf(
    '<data/>',
    sizes.map((size, at) => file(String(at), size)),
    most,
  ).map(({ files }) => files.map(({ name }) => name).join())

describe('posts of a filled form', () => {
  it('are one where it fits, also without any file', () => {
    expect(namesOf([], 10_000)).toEqual([''])
    expect(namesOf([3000, 3000], 10_000)).toEqual(['0,1'])
  })

  it('have whole files, none larger than the server takes but a file that is so alone', () => {
    expect(namesOf([6000, 6000, 20_000, 100, 100], 10_000)).toEqual(['0', '1', '2', '3,4'])
  })

  it('have the XML each, and say that more is to come but in the last', async () => {
    const [first, last] = postsOf('<data/>', [file('a', 6000), file('b', 6000)], 10_000).map((post) =>
      bodyOf('<data/>', post),
    )
    expect([first?.get('*isIncomplete*'), last?.get('*isIncomplete*')]).toEqual(['yes', null])
    for (const body of [first, last]) {
      const xml = body?.get('xml_submission_file')
      expect(xml instanceof File && (await xml.text())).toBe('<data/>')
    }
  })
})
