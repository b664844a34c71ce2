import { afterEach, expect, it, vi } from 'vitest'
import { writesTake } from '../../../test/support/short-writes.js'
import { Spool } from './spool.js'

afterEach(() => {
  vi.restoreAllMocks()
})

const linesIn = async (spool: Spool): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of spool.lines()) lines.push(line)
  return lines
}

const numbers = Array.from({ length: 2500 }, (_, number) => `line ${number}`)

const addAll = async (spool: Spool): Promise<void> => {
  for (const line of numbers) await spool.add(line)
}

it('gives back every line, several times, also when the disk takes what it is given in parts', async () => {
  await writesTake((length) => Math.ceil(length / 3))
  const spool = await Spool.filled(addAll)
  expect(await linesIn(spool)).toEqual(numbers)
  expect(await linesIn(spool)).toEqual(numbers)
  await spool.close()
})

it('is closed when it cannot be filled', async () => {
  let begun: Spool | undefined
  const filling = Spool.filled(async (spool) => {
    begun = spool
    await addAll(spool)
    throw new Error('no more lines')
  })
  await expect(filling).rejects.toThrow('no more lines')
  await expect(linesIn(begun as Spool)).rejects.toThrow(/closed|EBADF/)
})
