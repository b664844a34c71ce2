// Files that are large by what they declare and not by what is in them.
import { utils, write } from '@e965/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../test/support/app.js'
import { publish } from '../../../test/support/forms.js'
import { householdSheet, recordsOf, runJobs, sendTable } from '../../../test/support/imports.js'
import { budgets } from '../../budgets.js'
import { askedIn, csvRows } from '../../formats/import/index.js'
import { sql } from '../../platform/db/index.js'
import { RunningJobs } from '../../platform/jobs/index.js'
import { checkTable } from './checking.js'
import { readHeaders } from './reading.js'
import { StoredRecords } from './stored-records.js'

const app = testApp()
let ana: Account
beforeAll(async () => {
  ana = await app.account({ username: 'ana' })
})

const newForm = async () => (await publish(app, ana, householdSheet({ version: '1' }))).formid

/** What was computed at most, in milliseconds, between two moments in which others had a turn. Of the process, not by the clock: a
 * busy machine takes its own time. */
const longestStall = async (work: () => Promise<unknown>): Promise<number> => {
  let before = process.cpuUsage()
  let longest = 0
  const look = () => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    longest = Math.max(longest, (user + system) / 1000)
  }
  const timer = setInterval(look, 5)
  await work()
  look()
  clearInterval(timer)
  return longest
}

/** Other threads count too, and so does what happens at once; what is meant to be 100 ms was 12,000. */
const much = 10 * budgets.eventLoop.stallMs

const rowsOf = async (text: string): Promise<[number, string[]][]> => {
  const rows: [number, string[]][] = []
  for await (const { number, cells } of csvRows([Buffer.from(text)])) {
    rows.push([number, cells])
  }
  return rows
}

describe('lines without anything in them', () => {
  it('count, and cost next to nothing: 60,000 of them in the request', async () => {
    const id = await newForm()
    const answer = await sendTable(app, ana, id, `name,age\n${'\n'.repeat(60_000)}Tom,5\n`)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { additions: 1 }])
    const faulty = await sendTable(app, ana, id, `name,age\n${'\n'.repeat(60_000)}Tom,x\n`)
    expect(faulty.json().error).toContain('60001: ')
  })

  it.each([
    ['nothing', '\n'],
    ['commas', ',,\n'],
    ['blanks', '  \n'],
  ])(
    'a million lines of %s stall nobody',
    async (_, line) => {
      const id = await newForm()
      const text = `name,age\n${line.repeat(1_000_000)}Tom,5\n`
      let started = ''
      const sending = async () => {
        started = (await sendTable(app, ana, id, text, { path: 'import' })).json().task_id
        await runJobs(app)
      }
      expect(await longestStall(sending)).toBeLessThan(much)
      const status = await app.as(ana)('GET', `/forms/${id}/import`, { query: { job_uuid: started } })
      expect(status.json()).toMatchObject({ job_status: 'SUCCESS', additions: 1 })
    },
    120_000,
  )

  it('are read up to budgets.imports.lines; one more is refused in words', async () => {
    const last = budgets.imports.lines
    const text = (lines: number) => `a,b\n${'\n'.repeat(lines - 2)}1,2\n`
    expect(await rowsOf(text(last))).toEqual([
      [1, ['a', 'b']],
      [last, ['1', '2']],
    ])
    await expect(rowsOf(text(last + 1))).rejects.toThrow(`more than ${last} lines. Remove those that are empty`)
  })
})

describe('a row', () => {
  it('has up to budgets.imports.columns columns; one more is refused in words', async () => {
    const most = budgets.imports.columns
    expect((await rowsOf(','.repeat(most - 1)))[0]?.[1]).toHaveLength(most)
    await expect(rowsOf(','.repeat(most))).rejects.toThrow(`more than ${most} columns`)
  })

  it('has up to budgets.imports.rowCharacters characters; more, or a quote that is never closed, is refused', async () => {
    const most = budgets.imports.rowCharacters
    expect((await rowsOf(`a\n${'x'.repeat(most)}\n`)).length).toBe(2)
    await expect(rowsOf(`a\n${'x'.repeat(most + 1)}\n`)).rejects.toThrow(`longer than ${most} characters`)
    await expect(rowsOf(`a\n"${'x\n'.repeat(most)}`)).rejects.toThrow(/never closed/)
  })
})

describe('a file', () => {
  it('has up to budgets.imports.rows rows; one more is refused in words', async () => {
    const { model } = await app.database.db.one<{ model: never }>(sql`
      select model from form_versions where form_id = ${await newForm()}`)
    const most = budgets.imports.rows
    let areAllTaken = false
    // More is asked for when every row before it has been looked at.
    const content = function* () {
      yield Buffer.from(`name\n${'x\n'.repeat(most)}`)
      areAllTaken = true
      yield Buffer.from('x\n')
    }
    const source = { kind: 'csv', open: async () => content() } as const
    const options = { overwrite: false, unanswered: '', isRaw: false, isStrict: false }
    const reading = await readHeaders(source, await askedIn([model]), options)
    expect(areAllTaken).toBe(false)
    await expect(
      checkTable(source, reading, new StoredRecords(app.database.db, 1, reading.layout)),
    ).rejects.toMatchObject({
      message: `The file has more than ${most} rows. Split it.`,
    })
    expect(areAllTaken).toBe(true)
  }, 120_000)
})

describe('a workbook', () => {
  const book = (address: string, bookType: 'xlsx' | 'biff8'): Buffer => {
    const sheet = utils.aoa_to_sheet([
      ['name', 'age'],
      ['Tom', '5'],
    ])
    sheet[address] = { t: 's', v: 'Far' }
    sheet['!ref'] = `A1:${address}`
    const workbook = utils.book_new()
    utils.book_append_sheet(workbook, sheet, 'data')
    return write(workbook, { type: 'buffer', bookType, compression: true }) as Buffer
  }

  it.each([
    ['xlsx', 'A1048576', 'xlsx'],
    ['xls', 'A65536', 'biff8'],
  ] as const)(
    '.%s with a cell in its last row is two rows, at once',
    async (ending, address, type) => {
      const id = await newForm()
      const content = book(address, type)
      const sending = async () => {
        const answer = await sendTable(app, ana, id, content, {
          path: 'import',
          field: 'xls_file',
          fileName: `a.${ending}`,
        })
        expect(answer.statusCode).toBe(200)
        await runJobs(app)
      }
      expect(await longestStall(sending)).toBeLessThan(much)
      expect((await recordsOf(app, id)).map(({ answers }) => answers.name)).toEqual(['Tom', 'Far'])
    },
    120_000,
  )
})

describe('an import that takes longer than budgets.jobs.importSeconds', () => {
  it('is given up, tells so in words, and has stored nothing', async () => {
    expect(budgets.jobs.importSeconds).toBeLessThan(budgets.jobs.exportSeconds + 1)
    const id = await newForm()
    const text = `name,age\n${'Tom Tom Tom Tom,5\n'.repeat(20_000)}`
    const { task_id: job } = (await sendTable(app, ana, id, text, { path: 'import' })).json()
    // 18 ms in place of 30 minutes.
    await app.deps.jobs.run('imports.run', { id: job }, job, new RunningJobs(0.000_01))
    const status = await app.as(ana)('GET', `/forms/${id}/import`, { query: { job_uuid: job } })
    expect([status.statusCode, status.json()]).toEqual([
      400,
      {
        job_status: 'FAILURE',
        error: 'The import takes longer than 30 minutes and was given up; nothing of it was stored. Split the file.',
      },
    ])
    expect(await recordsOf(app, id)).toEqual([])
  })
})
