import { expect, it } from 'vitest'
import { readArrival, readArrivalInTurns } from './submit.js'

const said = async (read: () => unknown): Promise<unknown> => {
  try {
    return await read()
  } catch (error) {
    return error
  }
}

it.each(['', ' \n\t ', 'no xml', '<data>', '<data/>', '<data id="visit" version="1"><name>Zoe</name></data>'])(
  '%j is read, or refused, in the same words at once and in turns',
  async (xml) => {
    expect(await said(() => readArrivalInTurns(xml))).toEqual(await said(() => readArrival(xml)))
  },
)

it('nothing but blanks is said to be empty', async () => {
  for (const read of [readArrival, readArrivalInTurns]) {
    expect(await said(() => read(' \n\t '))).toEqual(await said(() => read('')))
  }
})
