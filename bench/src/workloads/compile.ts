// Compiling forms of three sizes given as .xlsx, beside inflating and parsing the XML of the same workbook; the same from sheets
// in hand, as an editor does it on every key; and publishing them, during which the server serves others.
import { inflateRawSync } from 'node:zlib'
import { compile, compileSheets, readSheetsSync } from '@sheaf/xlsform'
import { SaxesParser } from 'saxes'
import { prepareForm } from '../account.js'
import type { Figure } from '../report.js'
import { newDataDir, removeDataDir, startServer } from '../server.js'
import { bestOf } from '../timing.js'
import { workbook } from '../workbook.js'
import type { Workload } from '../workload.js'

const sizes = [
  { questions: 20, choices: 20, rounds: 100, mostMs: 5, mostMsOfSheets: 10 },
  { questions: 500, choices: 1_000, rounds: 20, mostMs: 60, mostMsOfSheets: 50 },
  { questions: 5_000, choices: 10_000, rounds: 7, mostMs: 600, mostMsOfSheets: 500 },
]

/** The texts of the files in a zip that was written with their sizes in front. */
const inflated = (zip: Buffer): string[] => {
  const texts: string[] = []
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const [method, packed] = [zip.readUInt16LE(at + 8), zip.readUInt32LE(at + 18)]
    const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
    const bytes = zip.subarray(start, start + packed)
    texts.push((method === 0 ? bytes : inflateRawSync(bytes)).toString('utf8'))
    at = start + packed
  }
  return texts
}

const parsed = async (zip: Buffer): Promise<void> => {
  for (const text of inflated(zip)) new SaxesParser({ position: false }).write(text).close()
}

const publish = async (address: string, token: string, bytes: Buffer): Promise<void> => {
  const body = new FormData()
  body.append('xls_file', new File([new Uint8Array(bytes)], 'form.xlsx'))
  const headers = { authorization: `Token ${token}` }
  const response = await fetch(`${address}/api/v1/forms`, { method: 'POST', headers, body })
  if (response.status !== 201) throw new Error(`Publishing answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

export const compileForms: Workload = {
  name: 'compile',
  description: 'forms of 20, 500 and 5,000 questions',
  run: async ({ isQuick, progress }) => {
    const server = await startServer(newDataDir())
    try {
      const { token } = await prepareForm(server.address)
      const figures: Figure[] = []
      server.rest()
      for (const [index, { rounds, mostMs, mostMsOfSheets, ...size }] of sizes.entries()) {
        const questions = size.questions.toLocaleString('en')
        progress(index / sizes.length, `${questions} questions`)
        const bytes = workbook(size)
        const sheets = readSheetsSync(bytes)
        const [ours = 0, limit = 0, ofSheets = 0] = await bestOf(
          Math.ceil(rounds / (isQuick ? 5 : 1)),
          async () => void compile(bytes),
          () => parsed(bytes),
          async () => void compileSheets(sheets),
        )
        const books = Array.from({ length: Math.ceil(rounds / (isQuick ? 20 : 5)) + (isQuick ? 1 : 2) }, (_, n) =>
          workbook(size, `bench_${size.questions}_${n}`),
        )
        const [whole = 0] = await bestOf(books.length, () => publish(server.address, token, books.pop() as Buffer))
        figures.push(
          {
            name: `compiling a form of ${questions} questions`,
            value: ours * 1000,
            unit: 'ms',
            limit: { name: 'inflating and parsing its XML', value: limit * 1000 },
            aim: { text: `≤ ${mostMs} ms`, isMet: ours * 1000 <= mostMs },
          },
          {
            name: 'compiling its sheets',
            value: ofSheets * 1000,
            unit: 'ms',
            limit: { name: 'compiling the workbook', value: ours * 1000 },
            aim: { text: `≤ ${mostMsOfSheets} ms`, isMet: ofSheets * 1000 <= mostMsOfSheets },
          },
          {
            name: `publishing it`,
            value: whole * 1000,
            unit: 'ms',
            limit: { name: 'compiling it', value: ours * 1000 },
          },
        )
      }
      return { workload: 'compile', figures: [...figures, ...server.strain()] }
    } finally {
      await server.stop()
      removeDataDir(server.dataDir)
    }
  },
}
